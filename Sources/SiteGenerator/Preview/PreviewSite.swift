import Access
import Diagnostics
import Markdown
import POSIX
import Rendering
import Site
import Synchronization

/// A site in memory, whose files are made when somebody asks for them.
///
/// Nothing is written, except what tools made of code, for the next build, and not even that by a
/// check.
final class PreviewSite: Sendable {
    let model: SiteModel
    let look: SiteLook
    let listings: SiteListings
    private let sources: SiteSources
    private let options: BuildOptions
    private let outlines: PageOutlines
    private let resolver: LinkResolver
    private let renderer: PageRenderer
    /// The files that are no pages and no search indexes, by their paths in a release.
    private let files: [String: OutputFile]
    /// The findings that need neither links nor tools.
    private let found: [Diagnostic]
    /// Whether the site may be shown: none of these findings, among which is every doubt about who
    /// may read a page, is an error.
    let isSound: Bool
    private let search = Mutex<Task<Search, any Error>?>(nil)

    private typealias Search = (
        folders: [Audience: String], files: [(path: String, bytes: [UInt8])]
    )

    /// Reads a site; of the files only those that have changed.
    ///
    /// - Parameter known: the site as it was before; `nil` for the first time.
    init(_ folders: SiteFolders, _ options: BuildOptions, after known: PreviewSite? = nil) async {
        self.options = options
        sources = SiteSources(folders)
        let isSame =
            known.map { known in
                known.sources.folders.text == folders.text
                    && known.sources.folders.source == folders.source
            } ?? false
        outlines = await PageOutlines(sources, options, after: isSame ? known?.outlines : nil)
        model = SiteModel(sources, outlines.pages)
        listings = SiteListings(model)
        look = SiteLook(sources, options)
        let areSame = isSame && known?.sources.assets.map(\.state) == sources.assets.map(\.state)
        resolver = await LinkResolver(
            sources,
            model,
            listings.urls,
            options,
            images: areSame ? known?.resolver.images : nil
        )
        renderer = PageRenderer(model, listings, look)
        files = Dictionary(
            SiteFiles(model, listings, look.theme).all.map { ($0.path, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        found =
            SiteBuild.diagnostics(sources, outlines, model, listings, look, options)
        isSound = !found.contains {
            folders.configuration.checks.applied(to: $0)?.severity == .error
        }
    }

    var folders: SiteFolders { sources.folders }

    /// Who may read what, as a release says it.
    var policy: AccessPolicy { model.access.policy }

    /// Checks the site as a build does.
    func check() async -> BuildOutcome {
        let tools = CodeTools(sources.folders, options)
        // A block of colours is enough to tell whether the tool is there.
        let isColoured = model.site.pages.firstIndex { page in
            page.document.codeBlocks.contains { CodeTool(codeBlock: $0.language) == .pygments }
        }
        let drawn = model.site.pages.enumerated().filter { index, page in
            index == isColoured
                || page.document.codeBlocks.contains {
                    CodeTool(codeBlock: $0.language) != .pygments
                }
        }
        _ = await drawn.map(\.element).concurrentMap { [self] page in
            Page(reading: page.file, folders.configuration, options) {
                document,
                isPublished,
                location in
                if isPublished { tools.add(document, location: location) }
                return nil
            }
        }
        let check = await SiteCheck(model, resolver, options)
        await tools.finish()
        if options.checks.publishes { tools.save(mayForget: false) }
        return BuildOutcome(
            sources,
            outlines,
            model,
            found + check.diagnostics + tools.diagnostics,
            options
        )
    }

    /// The file at a path in a release; `nil` if there is none.
    ///
    /// - Throws: if a page has changed since the site was read.
    func file(at path: String) async throws -> [UInt8]? {
        if let page = page(at: path) { return try await render([page])[0].bytes }
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
    func render(_ pages: [Page]) async throws -> [(bytes: [UInt8], text: PageText)] {
        let bodies = PageBodies()
        let tools = CodeTools(sources.folders, options)
        let configuration = sources.folders.configuration
        let read = await pages.concurrentMap { [options] page in
            Page(reading: page.file, configuration, options) { document, _, location in
                tools.add(document, location: location)
                return bodies.take(&document, countsWords: configuration.search)
            }
        }
        for page in pages {
            let status = try FileStatus(of: "\(sources.folders.source)/\(page.file.path)")
            guard page.file.state == SourceState(status) else { throw Changed() }
        }
        await tools.finish()
        if options.checks.publishes { tools.save(mayForget: false) }
        let files = PageFiles(renderer: renderer, bodies: bodies, tools: tools)
        let results = await Array(zip(pages, read)).concurrentMap { [resolver] page, again in
            Result { () throws(SystemError) in
                try files.file(of: page, again, urls: resolver.resolve(page).urls)
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
