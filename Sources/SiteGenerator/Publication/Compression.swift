import Access
import POSIX

/// Which files are published a second time, compressed, for nginx's `gzip_static`.
struct Compression: Sendable {
    /// What is text; pictures and documents are compressed already.
    static let endings = [".html", ".css", ".js", ".svg", ".json", ".xml", ".txt", ".csv"]
    /// Less than that fits into one packet as it is.
    static let leastBytes = 860

    private let access: PageAccess
    private let outputs: Set<String>

    /// - Parameter files: all that the release has.
    static func marked(
        _ files: [Publication.File],
        _ access: PageAccess
    ) -> [Publication.File] {
        let compression = Compression(access: access, outputs: Set(files.map(\.path)))
        return files.map { file in
            var file = file
            file.isCompressed = compression.covers(file)
            return file
        }
    }

    /// Whether a file gets a compressed one beside it.
    ///
    /// That one has an address of its own, `page.gz`, which anybody may ask for: where a rule is
    /// for the one address alone, the other would be judged by what is above it, and there is none.
    private func covers(_ file: Publication.File) -> Bool {
        guard Self.endings.contains(where: file.path.hasSuffix),
            !outputs.contains(file.path + ".gz")
        else { return false }
        if file.path.hasPrefix(Theme.folder) { return true }
        let root = "site/"
        guard file.path.hasPrefix(root) else { return false }
        var url = "/" + file.path.dropFirst(root.count)
        let compressed = access.audience(of: url + ".gz")
        if url.hasSuffix("/index.html") {
            // nginx judges a page by the address of its folder.
            if access.audience(of: url) != compressed { return false }
            url.removeLast("index.html".count)
        }
        return access.audience(of: url) == compressed
    }
}
