import Access
import Diagnostics
import POSIX

/// Turns a folder of Markdown and a folder of templates into a site and its access policy.
public enum SiteBuild {
    public struct Outcome: Sendable {
        /// Sorted; nothing was published if one of them is an error.
        public var diagnostics: [Diagnostic]
        public var pages = 0
        public var drafts = 0
        /// The number of the new release.
        public var release: Int?
        /// Where ``release`` lies.
        public var output = ""
        /// Findings that the baseline took out.
        public var known = 0

        public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
        /// Whether an error belongs to no file: the disk is at fault, and not the content.
        public var hasFailed: Bool {
            diagnostics.contains { $0.severity == .error && $0.place == nil }
        }
    }

    /// Builds the site that a `sitegen.toml` describes.
    ///
    /// - Parameter configurationPath: of `sitegen.toml`, as it is to stand in diagnostics.
    public static func run(
        configurationPath: String,
        output: String? = nil,
        options: CheckOptions = CheckOptions()
    ) async -> Outcome {
        let bytes: [UInt8]
        do { bytes = try File.read(configurationPath) } catch {
            let advice = error.isMissingFile ? "; 'title = \"…\"' is enough to begin with" : ""
            let message = error.reason + advice
            let diagnostic = Diagnostic(.configuration, message, at: Place(configurationPath))
            return Outcome(diagnostics: [diagnostic])
        }
        let (configuration, diagnostics) = SiteConfiguration.parse(bytes, path: configurationPath)
        // Groups that could not be read would only be reported again by every page.
        if !diagnostics.isEmpty {
            return Outcome(diagnostics: diagnostics.named(.configuration).sorted())
        }
        let slash = configurationPath.lastIndex(of: "/")
        let folder = slash.map { String(configurationPath[...$0]) } ?? ""
        let output = output ?? folder + configuration.output
        return await Jobs.$count.withValue(options.jobs ?? Jobs.count) {
            await run(configuration, in: folder, output: output, options)
        }
    }

    private static func run(
        _ configuration: SiteConfiguration,
        in folder: String,
        output: String,
        _ options: CheckOptions
    ) async -> Outcome {
        let progress = options.progress
        let source = SourceTree(
            listing: folder + configuration.source,
            displayFolder: folder + configuration.source
        )
        let design = SourceTree(
            listing: folder + configuration.templates,
            displayFolder: folder + configuration.templates
        )
        let markdown = source.files.filter(\.isMarkdown)
        let read = await markdown.concurrentMap(
            progress.counting(.reading, of: markdown.count) { Page(reading: $0, configuration) }
        )
        let site = Site(configuration, pages: read, assets: source.files.filter { !$0.isMarkdown })
        let access = PageAccess(site)
        let templates = TemplateSet(design.files.filter { !$0.path.hasPrefix(Theme.folder) })
        let theme = Theme(design.files)
        let resolver = LinkResolver(site: site, access: access)
        let tree = NavigationTree(site, access)
        let resolutions = await site.pages.concurrentMap(
            progress.counting(.resolving, of: site.pages.count, resolver.resolve)
        )

        var outcome = Outcome(diagnostics: source.diagnostics.named(.sourceFile))
        outcome.diagnostics += read.flatMap(\.diagnostics) + site.diagnostics + access.diagnostics
        let looks = design.diagnostics + templates.diagnostics + theme.diagnostics
        outcome.diagnostics += looks.named(.template)
        outcome.diagnostics += missingTemplates(site, templates, folder + configuration.templates)
        outcome.diagnostics += resolutions.flatMap(\.diagnostics)
        let linked = Set(resolutions.flatMap(\.pages))
        outcome.diagnostics += OrphanPages.diagnostics(in: tree, linked: linked)
        if let outsideLinks = options.outsideLinks {
            let links = resolutions.flatMap(\.outsideLinks)
            outcome.diagnostics += await outsideLinks.diagnostics(for: links, progress)
        }
        let judgement = Judgement(settings: configuration.checks, options: options, folder: folder)
        (outcome.diagnostics, outcome.known) = judgement.judge(outcome.diagnostics)
        outcome.pages = site.pages.count
        outcome.drafts = read.count - site.pages.count
        if outcome.hasErrors || !options.publishes { return outcome }

        let renderer = PageRenderer(
            site: site,
            access: access,
            navigation: Navigation(tree),
            templates: templates,
            theme: theme
        )
        let pages = await Array(zip(site.pages, resolutions)).concurrentMap(
            progress.counting(.rendering, of: site.pages.count) { page, resolution in
                Publication.File(
                    path: "site\(page.url)index.html",
                    content: .bytes(renderer.page(page, urls: resolution.urls))
                )
            }
        )
        let publication = Publication(
            files: pages + fixedFiles(renderer) + theme.files,
            releasesKept: configuration.releasesKept,
            progress: progress
        )
        do {
            outcome.release = try await publication.publish(to: output)
            outcome.output = output
        } catch {
            outcome.diagnostics.append(Diagnostic(.error, error.message, at: nil))
        }
        return outcome
    }

    /// The templates that every site has, and where what they make is put.
    private static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("503", "errors/503.html"),
    ]

    private static func fixedFiles(_ renderer: PageRenderer) -> [Publication.File] {
        let policy = Publication.File(
            path: "access",
            content: .bytes(Array(renderer.access.policy.text.utf8))
        )
        let assets = renderer.site.assets.map { url, file in
            Publication.File(path: "site\(url)", content: .copy(file.diskPath))
        }
        return [policy] + assets
            + fixedTemplates.map { name, path in
                Publication.File(path: path, content: .bytes(renderer.plain(name)))
            }
    }

    private static func missingTemplates(
        _ site: Site,
        _ templates: TemplateSet,
        _ folder: String
    ) -> [Diagnostic] {
        // A template that is there and broken was reported at its own place.
        if !templates.diagnostics.isEmpty { return [] }
        let wanted = ["page"] + fixedTemplates.map(\.0)
        let fixed = wanted.filter { !templates.has($0) }.map { name in
            Diagnostic(.template, "there is no template '\(name).html'", at: Place(folder))
        }
        let named = site.pages.compactMap { page -> Diagnostic? in
            guard let name = page.frontMatter.template, !templates.has(name) else { return nil }
            let message = "template '\(name)' is not there; it would be '\(folder)/\(name).html'"
            return Diagnostic(.template, message, at: Place(page.file.displayPath))
        }
        return fixed + named
    }
}
