import Access
import Markdown
import POSIX

/// New search indexes for pages of which only the texts have changed.
struct SearchUpdate: Sendable {
    private let index: BuildIndex
    private let cache: BuildCache
    private let changed: Set<String>
    private let release: String

    /// - Parameters:
    ///   - index: with the new words of the changed pages.
    ///   - changed: the URLs of these pages.
    ///   - release: the folder of the previous release.
    init(_ index: BuildIndex, _ cache: BuildCache, changed: Set<String>, release: String) {
        self.index = index
        self.cache = cache
        self.changed = changed
        self.release = release
    }

    /// The indexes with a changed page, and the files that name their folders.
    ///
    /// - Parameter replaced: gets the paths of the files of the previous release that the new one
    ///   does not take over.
    /// - Returns: `nil` if the indexes have to be made from the whole site.
    func files(replacing replaced: inout Set<String>) async -> [Publication.File]? {
        if index.parts.isEmpty { return [] }
        guard let root = try? OpenFolder(release),
            let text = try? root.read("access"),
            let policy = AccessPolicy(text: String(decoding: text, as: UTF8.self))
        else { return nil }
        var files: [Publication.File] = []
        var folders: [(old: String, new: String)] = []
        for record in index.parts {
            guard let bytes = cache.log.read(record),
                let part = SearchPart(kept: bytes, page: page)
            else { return nil }
            let hasChanged = part.documents.contains { changed.contains($0.url) }
            // The runs of the others stay in use.
            if !hasChanged { continue }
            let (folder, file) = await part.file(cache.searchStore)
            if cache.hasLostWords { return nil }
            // Checked against the policy, because an author's page may lie in this folder.
            guard let path = SitePath(folder + SearchIndex.fileName),
                policy.audience(of: path)?.description == part.audience,
                let old = index.files.first(where: { $0.path.hasPrefix("site\(part.folder)") }),
                old.path.hasSuffix("/\(SearchIndex.fileName)")
            else { return nil }
            replaced.insert(old.path)
            files.append(file)
            folders.append((Self.folder(old.path), folder))
        }
        for path in index.manifests {
            guard let old = index.files.first(where: { $0.path == path }),
                (try? FileStatus(of: "\(release)/\(path)"))?.identity == old.identity,
                let bytes = try? root.read(path)
            else { return nil }
            var text = String(decoding: bytes, as: UTF8.self)
            for (old, new) in folders { text = text.replacing("\"\(old)\"", with: "\"\(new)\"") }
            let new = Array(text.utf8)
            if new == bytes { continue }
            replaced.insert(path)
            // The new text has the size of the old one.
            files.append(
                Publication.File(
                    path: path,
                    content: .bytes(new),
                    isCompressed: old.compressed != nil
                )
            )
        }
        return files
    }

    /// The runs of all indexes: those of the indexes that are made again, and the old ones of others.
    func runs(after replaced: Set<String>) -> [[UInt8]: RecordLog.Record] {
        let made = replaced.filter(Self.isIndex)
            .map { SearchPart.runPrefix(ofIndexAt: $0) }
        let others = index.runs.filter { run in
            !made.contains { run.key.starts(with: $0) }
        }
        return others.merging(cache.runs.all) { _, new in new }
    }

    private func page(
        _ url: String,
        _ position: Int
    ) -> (words: SearchDocument.PageWords, text: Range<Int>)? {
        guard index.pages.indices.contains(position), let output = index.pages[position].output,
            output.url.elementsEqual(url.utf8)
        else { return nil }
        let (key, records) = (index.pages[position].key, index.pages[position].records)
        return (.init(key: key, records: records), output.text)
    }

    /// Whether a path in a release is, or may be, that of an index.
    static func isIndex(_ path: String) -> Bool {
        path.hasPrefix("site/_search/") && path.hasSuffix("/\(SearchIndex.fileName)")
    }

    /// The URL of the folder of an index.
    private static func folder(_ path: String) -> String {
        String(path.dropFirst("site".count).dropLast(SearchIndex.fileName.count))
    }
}
