import Access
import Diagnostics
import Markdown
import POSIX
import Rendering
import Site
import SourceFolder
import Synchronization

/// A site in memory, whose files are made when somebody asks for them.
///
/// Nothing is written, except what tools made of code, for the next build.
final class PreviewSite: Sendable {
    let loaded: LoadedSite
    private let renderer: PageRenderer
    /// The files that are no pages and no search indexes, by their paths in a release.
    private let files: [String: OutputFile]
    private let search = Mutex<Task<Search, any Error>?>(nil)

    private typealias Search = (
        folders: [Audience: [String]], files: [(path: String, bytes: [UInt8])]
    )

    init(_ loaded: LoadedSite) {
        self.loaded = loaded
        renderer = PageRenderer(loaded.model, loaded.listings, loaded.look)
        files = Dictionary(
            SiteFiles(loaded.model, loaded.listings, loaded.look.theme).all.map { ($0.path, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    private var model: SiteModel { loaded.model }

    /// Who may read what, as a release says it.
    var policy: AccessPolicy { model.access.policy }

    /// The file at a path in a release; `nil` if there is none.
    ///
    /// - Throws: if a page has changed since the site was read.
    func file(at path: String) async throws -> [UInt8]? {
        if let page = page(at: path) { return try await render([page])[0].bytes }
        if path.hasSuffix("/index.md"), let page = page(at: "\(path.dropLast(2))html") {
            return try await render([page])[0].markdown
        }
        guard let file = files[path] else {
            guard path.hasPrefix("site/_search/") else { return nil }
            return try await searchIndex().files.first { $0.path == path }?.bytes
        }
        // Only the lists for scripts name the folders of search indexes.
        guard path.hasPrefix("site/_reader/") else { return try file.bytes(renderer) }
        return try file.bytes(renderer, try await searchIndex().folders)
    }

    /// Whether there is a page at a URL that ends with `/`.
    func hasPage(at url: String) -> Bool {
        let path = "site\(url)index.html"
        return page(at: path) != nil || files[path] != nil
    }

    /// A file that an author put beside the pages, by its URL; `nil` if there is none.
    func asset(at url: String) -> [UInt8]? {
        guard let file = files["site\(url)"], case .copy(let original) = file.content else {
            return nil
        }
        return try? original.read()
    }

    private func page(at path: String) -> Page? {
        guard path.hasPrefix("site/"), path.hasSuffix("/index.html") else { return nil }
        return model.site.page(at: String(path.dropFirst(4).dropLast("index.html".count)))
    }

    struct Changed: Error {}

    /// Renders pages.
    ///
    /// - Throws: ``Changed`` if the file of a page is not what it was when the site was read:
    ///   another text, and perhaps other readers.
    func render(_ pages: [Page]) async throws -> [(
        bytes: [UInt8], text: PageText, markdown: [UInt8]?
    )] {
        let bodies = PageBodies()
        let options = loaded.options
        let tools = CodeTools(loaded.folders, options)
        let configuration = loaded.folders.configuration
        let includable = loaded.sources.includable
        let read = await pages.concurrentMap { page in
            Page(reading: page.file, configuration, options, includable) { document, _, location in
                tools.add(document, location: location)
                return bodies.take(&document, countsWords: configuration.search)
            }
        }
        for file in pages.map(\.file) + read.flatMap(\.includedFiles) {
            let status = try FileStatus(of: "\(loaded.folders.source)/\(file.path)")
            guard file.state == SourceState(status) else { throw Changed() }
        }
        await tools.finish()
        if options.checks.publishes { tools.save(mayForget: false) }
        let files = PageFiles(renderer: renderer, bodies: bodies, tools: tools)
        let results = await Array(zip(pages, read)).concurrentMap { [loaded] page, again in
            Result { () throws(SystemError) in
                try files.file(of: page, again, urls: loaded.resolver.resolve(page).urls)
            }
        }
        return try results.map { try $0.get() }
    }

    /// The search indexes, made once.
    private func searchIndex() async throws -> Search {
        let task = search.withLock { known in
            let task =
                known
                ?? Task { [self] in
                    let texts = try await render(model.site.pages).map(\.text)
                    let index = try await SearchIndex(
                        model.site,
                        model.access,
                        model.navigation,
                        texts
                    )
                    return (index.folders, index.files)
                }
            known = task
            return task
        }
        return try await task.value
    }
}
