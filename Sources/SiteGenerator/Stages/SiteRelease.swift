import Access
import Diagnostics
import Markdown
import POSIX

/// The last stage: renders, writes and frees one page after the other, then publishes the release.
struct SiteRelease: Sendable {
    /// How the file of a page comes into the release.
    private enum Plan: Sendable {
        /// The file of the previous release.
        case unchanged(BuildCache.Unchanged, key: [UInt8], frame: [UInt8])
        case rendered(RenderedDocument, PageBodies.Body)
        case failed

        var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
    }

    /// A page's file in the new release.
    private struct ReleasedPage: Sendable {
        let isLinked: Bool
        let output: BuildIndex.Output
    }

    private(set) var diagnostics: [Diagnostic] = []
    private let model: SiteModel
    private let check: SiteCheck
    private let renderer: PageRenderer
    private let cache: BuildCache
    private let bodies: PageBodies
    private let options: BuildOptions
    private let sources: SiteSources
    private let plans: [Plan]
    private let tools: CodeTools
    private let compression: Compression?

    private var folders: SiteFolders { sources.folders }

    /// Decides which pages are rendered, and waits until their code is highlighted.
    init(
        _ sources: SiteSources,
        _ model: SiteModel,
        _ check: SiteCheck,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ bodies: PageBodies,
        _ tools: CodeTools
    ) async {
        let renderer = PageRenderer(model, check.templates, check.theme)
        let pages = model.site.pages
        let configuration = sources.folders.configuration
        let plans = await pages.indices.concurrentMap(
            sortedBy: { "\(model.access.audience(of: pages[$0].url))" }
        ) { index -> Plan in
            let page = pages[index]
            // Without a release to take files from, nothing is gained by the key.
            if cache.hasOutputs {
                let job = renderer.job(page, urls: check.resolutions[index].urls, cache.identity)
                if let key = job.key(tools: cache.tools),
                    let unchanged = cache.file(job.path, madeOf: key)
                {
                    return .unchanged(unchanged, key: key, frame: job.frame)
                }
            }
            if let body = page.body { return .rendered(page.document, body) }
            guard var document = page.parsedAgain(configuration, cache.identity) else {
                return .failed
            }
            tools.add(document, location: page.location)
            let body = bodies.add(document.takeHTML())
            return .rendered(document, body)
        }
        await tools.finish()
        // The blocks of unchanged pages are not known.
        tools.save(mayForget: !plans.contains(where: \.isUnchanged))
        for (page, plan) in zip(pages, plans) {
            guard case .failed = plan else { continue }
            let location = SourceLocation(page.file.displayPath)
            let message = "the file changed during the build; build again"
            diagnostics.append(Diagnostic(.sourceFile, message, at: location))
        }
        self.plans = plans
        self.tools = tools
        self.model = model
        self.check = check
        self.renderer = renderer
        self.cache = cache
        self.bodies = bodies
        self.options = options
        self.sources = sources
        compression = Compression(model, options)
    }

    /// Writes the release, and makes it the current one.
    ///
    /// - Returns: what has to be cleaned up after the lock is given back.
    func publish(
        _ outlines: PageOutlines,
        _ outcome: inout SiteBuild.Outcome
    ) async -> ReleaseWriter? {
        let configuration = folders.configuration
        let syncs = configuration.syncs && options.syncs
        do throws(SystemError) {
            let writer = try ReleaseWriter(output: folders.output, syncs: syncs)
            do throws(SystemError) {
                let pages = try await pages(writer)
                let (others, parts) = try await others(writer, pages)
                // An index without the words of a page would be published.
                if cache.hasLostWords {
                    throw SystemError("read", "the words of a page", number: 5)
                }
                let failures = try writer.finish(keeping: configuration.releasesKept)
                let linked =
                    pages.count { $0.isLinked } + others.count { $0.isLinked }
                var index = index(outlines, pages, parts)
                index.release = writer.number
                index.isSynced = syncs
                index.files = others.map(\.file)
                index.outcome = outcome
                cache.write(index)
                outcome.report(failures, folders)
                outcome.release = writer.number
                outcome.output = folders.output
                outcome.counts = BuildCounts(
                    parsed: outlines.pages.count { $0.body != nil },
                    rendered: plans.count { !$0.isUnchanged },
                    reused: plans.count { $0.isUnchanged },
                    linked: linked,
                    written: pages.count + others.count - linked
                )
                return writer
            } catch {
                await writer.discard()
                throw error
            }
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, "\(error)", at: nil))
            return nil
        }
    }

    /// Writes the files of the pages, audience by audience, since the navigation of each takes
    /// memory.
    private func pages(_ writer: ReleaseWriter) async throws(SystemError) -> [ReleasedPage] {
        let pages = model.site.pages
        let write = options.checks.progress.counting(.rendering, of: pages.count) { index in
            Result { () throws(SystemError) in try page(index, writer) }
        }
        var released: [ReleasedPage] = []
        released.reserveCapacity(pages.count)
        for result in await pages.indices.concurrentMap(sortedBy: kind(ofPage:), write) {
            released.append(try result.get())
        }
        return released
    }

    private func kind(ofPage index: Int) -> String {
        "\(model.access.audience(of: model.site.pages[index].url))"
    }

    private func page(_ index: Int, _ writer: ReleaseWriter) throws(SystemError) -> ReleasedPage {
        let page = model.site.pages[index]
        let urls = check.resolutions[index].urls
        var file: Publication.File
        let frame: [UInt8]
        switch plans[index] {
        case .unchanged(let unchanged, let key, let known):
            frame = known
            file = Publication.File(
                path: page.outputPath,
                content: .unchanged(unchanged.file),
                key: key,
                text: unchanged.text
            )
        case .rendered(let document, let body):
            let job = renderer.job(page, urls: urls, cache.identity)
            frame = job.frame
            let whole = document.with(html: try bodies.html(body))
            file = renderer.file(
                job,
                whole,
                code: tools.code(for: whole),
                key: tools.hasFindings(whole)
                    ? nil : job.key(tools: tools.identities(or: cache.tools))
            )
        case .failed: throw SystemError("read", page.file.displayPath, number: 5)
        }
        file.isCompressed = compression?.covers(file.path) ?? false
        let written = try writer.write(file)
        let output = BuildIndex.Output(
            file: written.file,
            key: (file.key ?? [])[...],
            frame: frame[...],
            text: file.text ?? 0..<0,
            isCompressed: file.isCompressed,
            urls: cache.keep(urls: urls, of: file.path),
            titleLevel: page.titleLevel ?? 0
        )
        return ReleasedPage(isLinked: written.isLinked, output: output)
    }

    /// What the next build has to know of this one.
    private func index(
        _ outlines: PageOutlines,
        _ released: [ReleasedPage],
        _ parts: [SearchPart]
    ) -> BuildIndex {
        var index = BuildIndex()
        // Findings about git may go away without a change of the site, and so may those about tools that
        // failed.
        if outlines.diagnostics.isEmpty, tools.isSettled {
            index.site =
                SiteDigest.bytes(sources, options, cache, tools.identities(or: cache.tools))
                ?? []
        }
        index.days = outlines.days(around: options.now)
        index.listed = sources.listed
        index.sources = sources.tree.sources ?? []
        let outputs = Dictionary(
            zip(model.site.pages.map(\.file.path), released.map(\.output)),
            uniquingKeysWith: { first, _ in first }
        )
        index.pages = outlines.pages.compactMap { page in
            guard let records = page.records else { return nil }
            return BuildIndex.PageEntry(
                path: page.file.path,
                key: page.key[...],
                matter: page.matter[...],
                interface: page.interface[...],
                records: records,
                output: outputs[page.file.path]
            )
        }
        index.runs = cache.runs.all
        let known = cache.previous?.parts ?? []
        let positions = index.positions
        index.parts = parts.enumerated().map { number, part in
            let bytes = part.bytes(positions)
            return cache.keep(bytes, unless: number < known.count ? known[number] : nil)
        }
        index.manifests = AudienceFiles.readers(folders.configuration.groups)
            .map { "site\(AudienceFiles.readerURL($0))" }
        return index
    }

    /// Writes the files that are no pages.
    private func others(
        _ writer: ReleaseWriter,
        _ pages: [ReleasedPage]
    ) async throws(SystemError) -> ([ReleaseWriter.WrittenFile], [SearchPart]) {
        let texts = Dictionary(
            zip(model.site.pages, pages).map { ($0.url, $1.output.text) },
            uniquingKeysWith: { first, _ in first }
        )
        let search = await SearchIndex(
            model.site,
            model.access,
            model.navigation,
            texts: texts,
            cache.searchStore
        )
        let renderer = renderer.with(searchFolders: search.folders)
        let ready = fixedFiles + check.theme.files + search.files
        let generated = model.generated
        let total = ready.count + generated.count
        let write = options.checks.progress.counting(.publishing, of: total) { index in
            Result { () throws(SystemError) in
                var file =
                    index < ready.count
                    ? ready[index]
                    : generated[index - ready.count].file(renderer)
                file.isCompressed = compression?.covers(file.path) ?? false
                return try writer.write(file)
            }
        }
        let kinds = generated.map { "\($0.readers)" }
        var written: [ReleaseWriter.WrittenFile] = []
        let results = await (0..<total).concurrentMap(
            sortedBy: { $0 < ready.count ? "" : kinds[$0 - ready.count] },
            write
        )
        for result in results { written.append(try result.get()) }
        return (written, search.parts)
    }

    /// The templates that every site has, with the paths of their files.
    static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("forbidden", "errors/403.html"),
        ("502", "errors/502.html"), ("503", "errors/503.html"),
    ]

    private var fixedFiles: [Publication.File] {
        let access = model.access
        let texts = [
            ("access", access.policy.text), ("redirects.map", model.redirects.map(access)),
            (ReaderTexts.path, ReaderTexts.json(model.site.configuration)),
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
