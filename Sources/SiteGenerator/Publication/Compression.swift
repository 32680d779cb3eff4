import Access
import POSIX

/// Decides which files are also published compressed, for nginx's `gzip_static`.
struct Compression: Sendable {
    /// Text files only: images and documents are compressed already.
    static let endings = [".html", ".css", ".js", ".svg", ".json", ".xml", ".txt", ".csv"]
    /// Smaller files fit into one packet uncompressed.
    static let leastBytes = 860

    private let access: PageAccess
    private let outputs: Set<String>

    /// - Parameter files: all files of the release.
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

    /// Whether a file gets a compressed copy beside it.
    ///
    /// The copy has a URL of its own, `page.gz`, that anybody may ask for. If an access rule
    /// applies to the one URL only, the copy would be judged by the rule above it, so it is not
    /// made.
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
            // nginx asks siteauth about the URL of the folder.
            if access.audience(of: url) != compressed { return false }
            url.removeLast("index.html".count)
        }
        return access.audience(of: url) == compressed
    }
}
