import Access
import Diagnostics
import Markdown
import POSIX

/// The last stage: renders, writes and frees one page after the other, then publishes the release.
struct SiteRelease: Sendable {
    /// How the file of a page comes into the release.
    private enum Plan: Sendable {
        /// The file of the previous release.
        case unchanged(BuildCache.Unchanged, key: [UInt8])
        case rendered(RenderedDocument, PageBodies.Body)
        case failed
    }

    private(set) var diagnostics: [Diagnostic] = []
    private let model: SiteModel
    private let check: SiteCheck
    private let renderer: PageRenderer
    private let cache: BuildCache
    private let bodies: PageBodies
    private let options: BuildOptions
    private let folders: SiteFolders
    private let plans: [Plan]
    private let highlights: Highlights

    /// Decides which pages are rendered, and has their code highlighted.
    init(
        _ sources: SiteSources,
        _ model: SiteModel,
        _ check: SiteCheck,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ bodies: PageBodies
    ) async {
        let renderer = PageRenderer(model, check.templates, check.theme)
        let pages = model.site.pages
        let configuration = sources.folders.configuration
        let plans = await pages.indices.concurrentMap(
            sortedBy: { "\(model.access.audience(of: pages[$0].url))" }
        ) { index -> Plan in
            let page = pages[index]
            if cache.hasOutputs {
                let job = renderer.job(page, urls: check.resolutions[index].urls, cache.identity)
                if let key = job.key(highlighter: cache.highlighter),
                    let unchanged = cache.file(job.path, madeOf: key)
                {
                    return .unchanged(unchanged, key: key)
                }
            }
            if let body = page.body { return .rendered(page.document, body) }
            guard var document = page.parsedAgain(configuration, cache.identity) else {
                return .failed
            }
            let body = bodies.add(document.takeHTML())
            return .rendered(document, body)
        }
        highlights =
            configuration.highlights
            ? await Highlights(
                plans.map { plan in
                    guard case .rendered(let document, let body) = plan else { return nil }
                    return document.codeBlocks.isEmpty
                        ? document : bodies[body].map(document.with(html:))
                },
                Highlighter(),
                cachePath: sources.folders.highlightCache,
                options.checks.progress
            ) : Highlights()
        diagnostics = highlights.diagnostics
        for (page, plan) in zip(pages, plans) {
            guard case .failed = plan else { continue }
            let location = SourceLocation(page.file.displayPath)
            let message = "the file changed during the build; build again"
            diagnostics.append(Diagnostic(.sourceFile, message, at: location))
        }
        self.plans = plans
        self.model = model
        self.check = check
        self.renderer = renderer
        self.cache = cache
        self.bodies = bodies
        self.options = options
        folders = sources.folders
    }

    /// Writes the release, and makes it the current one.
    func publish(_ outlines: PageOutlines, _ outcome: inout SiteBuild.Outcome) async {
        let progress = options.checks.progress
        let pages = model.site.pages
        let written = await Array(pages.indices).concurrentMap(
            progress.counting(.rendering, of: pages.count) { file(ofPage: $0) }
        )
        let files = written.compactMap(\.self)
        guard files.count == written.count else {
            let message = "the disk is full, or lost the HTML of pages"
            outcome.diagnostics.append(Diagnostic(.error, message, at: nil))
            return
        }
        let texts = Dictionary(
            zip(pages, files).map { ($0.url, $1.text ?? 0..<0) },
            uniquingKeysWith: { first, _ in first }
        )
        let search = await SearchIndex(
            model.site,
            model.access,
            model.navigation,
            texts: texts,
            cache.searchStore
        )
        let listRenderer = renderer.with(searchFolders: search.folders)
        let generated = model.generated
        let made = await generated.indices.concurrentMap(
            sortedBy: { "\(generated[$0].readers)" }
        ) { index in
            let file = generated[index]
            return Publication.File(
                path: "site\(file.path)",
                content: .bytes(file.render(listRenderer))
            )
        }
        let all = files + made + fixedFiles + check.theme.files + search.files
        let configuration = folders.configuration
        let compresses = configuration.precompresses && options.compresses
        let publication = Publication(
            files: compresses ? Compression.marked(all, model.access) : all,
            releasesKept: configuration.releasesKept,
            progress: progress,
            syncs: configuration.syncs && options.syncs
        )
        do {
            let result = try await publication.publish(to: folders.output, cache, outlines.pages)
            outcome.release = result.number
            outcome.output = folders.output
            outcome.counts = BuildCounts(
                parsed: outlines.pages.count { $0.body != nil },
                rendered: plans.count { if case .unchanged = $0 { false } else { true } },
                reused: plans.count { if case .unchanged = $0 { true } else { false } },
                linked: result.linked,
                written: all.count - result.linked
            )
            outcome.diagnostics += result.failures.compactMap { failure in
                let message =
                    "the release is published, but cleaning up after it failed: \(failure)"
                return configuration.checks.applied(to: Diagnostic(.cleanUp, message, at: nil))
            }
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, "\(error)", at: nil))
        }
    }

    /// - Returns: `nil` if the HTML of the page was lost.
    private func file(ofPage index: Int) -> Publication.File? {
        let page = model.site.pages[index]
        switch plans[index] {
        case .failed: return nil
        case .unchanged(let unchanged, let key):
            return Publication.File(
                path: page.outputPath,
                content: .unchanged(unchanged.file),
                key: key,
                text: unchanged.text
            )
        case .rendered(let document, let body):
            guard let html = bodies[body] else { return nil }
            let job = renderer.job(
                page,
                urls: check.resolutions[index].urls,
                cache.identity
            )
            return renderer.file(
                job,
                document.with(html: html),
                code: highlights.code(ofPage: index),
                key: job.key(highlighter: highlights.identity ?? cache.highlighter)
            )
        }
    }

    /// The templates that every site has, with the paths of their files.
    private static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("forbidden", "errors/403.html"),
        ("503", "errors/503.html"),
    ]

    private var fixedFiles: [Publication.File] {
        let access = model.access
        let texts = [
            ("access", access.policy.text), ("redirects.map", model.redirects.map(access)),
        ].map { Publication.File(path: $0, content: .bytes(Array($1.utf8))) }
        let assets = model.site.assets.map { url, file in
            Publication.File(path: "site\(url)", content: .copy(file))
        }
        return texts + assets
            + Self.fixedTemplates.map { name, path in
                Publication.File(path: path, content: .bytes(renderer.plain(name)))
            }
    }
}
