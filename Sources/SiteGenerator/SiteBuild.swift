import Access
import Diagnostics
import POSIX

/// Builds a site and its access policy from a folder of Markdown and a folder of templates.
public enum SiteBuild {
    public struct Outcome: Sendable {
        /// Sorted findings; nothing was published if one is an error.
        public var diagnostics: [Diagnostic]
        public var pages = 0
        /// The number of pages that are not published: drafts, future and expired pages.
        public var drafts = 0
        /// The number of unpublished pages by reason.
        public var unpublishedReasons: [Page.UnpublishedReason: Int] = [:]
        /// The number of the new release.
        public var release: Int?
        /// The output folder of ``release``.
        public var output = ""
        /// The number of findings that the baseline suppressed.
        public var suppressed = 0
        /// What the build made and what it reused; `nil` if nothing was published.
        public var counts: BuildCounts?

        public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
        /// Whether an error has no location: then a file operation failed, and the site has no
        /// mistake.
        public var hasFailed: Bool {
            diagnostics.contains { $0.severity == .error && $0.location == nil }
        }
    }

    /// Builds the site of a `sitegen.toml`, or of a plain folder of pages.
    ///
    /// - Parameter configurationPath: of `sitegen.toml`, as shown in diagnostics; `nil` for the
    ///   usual file, which need not exist.
    public static func run(configurationPath: String?, _ options: BuildOptions) async -> Outcome {
        await ConcurrencyLimit.$count.withValue(options.checks.jobs ?? ConcurrencyLimit.count) {
            // Some files for each core, and for subprocesses: starting a process without free
            // descriptors ends or hangs this program.
            guard Host.mayOpen(40 + 4 * ConcurrencyLimit.count) else {
                return failed("the limit of open files is too low; 'ulimit -n 1024' raises it")
            }
            let (folders, diagnostics) = SiteFolders.find(configurationPath, options)
            guard let folders else {
                return Outcome(diagnostics: diagnostics.named(.configuration).sorted())
            }
            let overlap = OverlappingFolders.diagnostics(
                source: folders.source,
                output: folders.output,
                base: folders.base
            )
            if !overlap.isEmpty { return Outcome(diagnostics: overlap) }
            guard options.checks.publishes else { return await run(folders, options) }
            do {
                guard let lock = try await OutputLock.take(folders.output, options) else {
                    return failed(
                        "another build publishes to '\(folders.output)'; '--wait' sets how long to wait for it"
                    )
                }
                // Read again, because the configuration may have changed while waiting for the
                // lock.
                let (current, diagnostics) = SiteFolders.find(configurationPath, options)
                guard let current else {
                    return Outcome(diagnostics: diagnostics.named(.configuration).sorted())
                }
                guard current.output == folders.output else {
                    return failed(
                        "'output' in sitegen.toml changed while the build began; build again"
                    )
                }
                let outcome = await run(current, options)
                _ = consume lock
                return outcome
            } catch {
                return failed("\(error)")
            }
        }
    }

    /// The outcome of a build that could not begin.
    private static func failed(_ message: String) -> Outcome {
        Outcome(diagnostics: [Diagnostic(.error, message, at: nil)])
    }

    private static func run(_ folders: SiteFolders, _ options: BuildOptions) async -> Outcome {
        let configuration = folders.configuration
        let progress = options.checks.progress
        let source = folders.sourceTree
        let templateSources = TemplateSources(folders.templatesTree)
        let sources = source.files.filter { $0.path != Summary.path }
        let incremental = IncrementalBuild(
            configuration,
            output: options.isIncremental ? folders.output : nil,
            highlightCache: configuration.highlights ? folders.highlightCache : nil
        )
        let summary = Summary(source.files)
        let (unlabelled, gitDiagnostics) = await pages(of: sources, folders, options, incremental)
        let read = unlabelled.map { summary?.labelled($0) ?? $0 }
        let site = Site(
            configuration,
            folder: folders.sourceName,
            pages: read,
            assets: sources.filter { !$0.isMarkdown }
        )
        let redirects = Redirects(site)
        let access = PageAccess(site, redirects)
        let navigation = Navigation(NavigationTree(site, access, summary))
        let tags = TagIndex(site, access, navigation)
        let lists = SectionLists(site, navigation, taken: tags.hasIndex ? TagIndex.url : nil)
        let feed = AtomFeed(site, access, navigation)
        let sitemap = Sitemap(site, navigation)
        let reader = AudienceManifests(site, navigation)
        let searchPage = SearchPage(site, access, navigation, tags)
        let generated =
            tags.files + lists.files + feed.files + sitemap.files + redirects.files(access)
            + reader.files + searchPage.files
        let images = await ImageSizes(site)
        let resolver = LinkResolver(
            site: site,
            access: access,
            images: images,
            generated: Set(generated.map(\.url)),
            redirects: redirects,
            ignored: source.ignored
        )
        let resolutions = await site.pages.concurrentMap(
            progress.counting(.resolving, of: site.pages.count, resolver.resolve)
        )
        let templates = TemplateSet(templateSources)
        let theme = Theme(templateSources, configuration.theme, source: source.files)

        var outcome = Outcome(diagnostics: source.diagnostics.named(.sourceFile))
        outcome.diagnostics += ExcludedAccessRules.diagnostics(
            in: source.ignoredPages,
            configuration,
            site
        )
        outcome.diagnostics += FrontMatterInFile.diagnostics(in: site.assets.map(\.file))
        outcome.diagnostics += gitDiagnostics + images.diagnostics
        outcome.diagnostics += read.flatMap(\.diagnostics) + site.diagnostics
        outcome.diagnostics += redirects.diagnostics + access.diagnostics
        outcome.diagnostics += summary?.diagnostics(for: site) ?? []
        let check = GeneratedFileCheck(generated, site, access, source: folders.source)
        outcome.diagnostics += check.diagnostics
        outcome.diagnostics += ReplacedOutputs.diagnostics(in: site, tags)
        let looks = templateSources.diagnostics + templates.diagnostics + theme.diagnostics
        outcome.diagnostics += looks.named(.template)
        outcome.diagnostics += templates.diagnostics(for: site.pages, folders.templatesName)
        outcome.diagnostics += resolutions.flatMap(\.diagnostics)
        outcome.diagnostics += ForeignConstructs.diagnostics(
            in: site.pages,
            resolutions.flatMap(\.foreignLinks)
        )
        let linked = Set(resolutions.flatMap(\.pages))
        outcome.diagnostics += FolderPages.diagnostics(in: site, access)
        if site.pages.isEmpty, !options.allowsEmpty, source.diagnostics.isEmpty {
            outcome.diagnostics.append(folders.emptiness(read))
        }
        outcome.diagnostics += OrphanPages.diagnostics(in: site, linked: linked)
        if let externalLinks = options.checks.externalLinks {
            let links = resolutions.flatMap(\.externalLinks)
            outcome.diagnostics += await externalLinks.diagnostics(for: links, progress)
        }
        let renderer = PageRenderer(
            site: site,
            access: access,
            navigation: navigation,
            lists: lists,
            tags: tags,
            feed: feed,
            templates: templates,
            theme: theme
        )
        let jobs =
            options.checks.publishes
            ? await site.pages.indices.concurrentMap(
                sortedBy: { "\(access.audience(of: site.pages[$0].url))" }
            ) { index in
                renderer.job(site.pages[index], urls: resolutions[index].urls, incremental)
            } : []
        let highlights =
            options.checks.publishes && configuration.highlights
            ? await Highlights(
                jobs.map(\.document),
                Highlighter(),
                cachePath: folders.highlightCache,
                progress
            ) : Highlights()
        outcome.diagnostics += highlights.diagnostics + jobs.flatMap(\.diagnostics)
        let filter = DiagnosticFilter(
            settings: configuration.checks,
            options: options.checks,
            folder: folders.base
        )
        (outcome.diagnostics, outcome.suppressed) = filter.apply(outcome.diagnostics)
        outcome.pages = site.pages.count
        outcome.drafts = read.count - site.pages.count
        for case let unpublishedReason? in read.map(\.unpublishedReason) {
            outcome.unpublishedReasons[unpublishedReason, default: 0] += 1
        }
        if outcome.hasErrors || !options.checks.publishes { return outcome }

        let written = await Array(jobs.indices).concurrentMap(
            progress.counting(.rendering, of: jobs.count) { index in
                renderer.file(
                    jobs[index],
                    code: highlights.code(ofPage: index),
                    highlighter: highlights.identity ?? incremental.highlighter
                )
            }
        )
        let texts = Dictionary(
            zip(site.pages, written).map { ($0.url, $1.text ?? 0..<0) },
            uniquingKeysWith: { first, _ in first }
        )
        let search = await SearchIndex(site, access, navigation, texts: texts)
        let listRenderer = renderer.with(searchFolders: search.folders)
        let made = await generated.indices.concurrentMap(
            sortedBy: { "\(generated[$0].readers)" }
        ) { index in
            let file = generated[index]
            return Publication.File(
                path: "site\(file.path)",
                content: .bytes(file.render(listRenderer))
            )
        }
        let files = written + made + fixedFiles(renderer, redirects) + theme.files + search.files
        let compresses = configuration.precompresses && options.compresses
        let publication = Publication(
            files: compresses ? Compression.marked(files, access) : files,
            releasesKept: configuration.releasesKept,
            progress: progress,
            syncs: configuration.syncs && options.syncs
        )
        do {
            let result = try await publication.publish(to: folders.output, incremental, read)
            outcome.release = result.number
            outcome.output = folders.output
            outcome.counts = BuildCounts(
                parsed: read.count { !$0.isOutline },
                rendered: jobs.count { $0.unchanged == nil },
                reused: jobs.count { $0.unchanged != nil },
                linked: result.linked,
                written: files.count - result.linked
            )
            outcome.diagnostics += result.failures.compactMap { failure in
                let message =
                    "the release is published, but cleaning up after it failed: \(failure)"
                return configuration.checks.applied(to: Diagnostic(.cleanUp, message, at: nil))
            }
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, error.message, at: nil))
        }
        return outcome
    }

    /// Reads the pages, and asks git at the same time for the dates of their last changes.
    private static func pages(
        of files: [SourceTree.File],
        _ folders: SiteFolders,
        _ options: BuildOptions,
        _ incremental: IncrementalBuild
    ) async -> (pages: [Page], diagnostics: [Diagnostic]) {
        let markdown = files.filter(\.isMarkdown)
        let paths = options.asksGit ? markdown.map(\.path) : []
        async let answer = GitHistory().lastChanges(in: folders.source, of: paths)
        let pages = await markdown.concurrentMap(
            options.checks.progress.counting(.reading, of: markdown.count) {
                Page(reading: $0, folders.configuration, options, incremental)
            }
        )
        let git = await answer
        let days = git.days
        let dated = pages.map { page in
            var page = page
            page.updated = page.updated ?? days[page.file.path]
            return page
        }
        let diagnostics = git.problem.map { problem in
            let message = "pages have no date of the last change: \(problem)"
            return Diagnostic(.noGitHistory, message, at: nil)
        }
        return (dated, diagnostics.map { [$0] } ?? [])
    }

    /// The templates that every site has, with the paths of their files.
    private static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("forbidden", "errors/403.html"),
        ("503", "errors/503.html"),
    ]

    private static func fixedFiles(
        _ renderer: PageRenderer,
        _ redirects: Redirects
    ) -> [Publication.File] {
        let access = renderer.access
        let texts = [
            ("access", access.policy.text), ("redirects.map", redirects.map(access)),
        ].map { Publication.File(path: $0, content: .bytes(Array($1.utf8))) }
        let assets = renderer.site.assets.map { url, file in
            Publication.File(path: "site\(url)", content: .copy(file))
        }
        return texts + assets
            + fixedTemplates.map { name, path in
                Publication.File(path: path, content: .bytes(renderer.plain(name)))
            }
    }
}
