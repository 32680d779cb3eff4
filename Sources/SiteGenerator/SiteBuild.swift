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

        public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// Builds the site that a `sitegen.toml` describes.
    ///
    /// - Parameter configurationPath: of `sitegen.toml`, as it is to stand in diagnostics.
    public static func run(configurationPath: String, output: String? = nil) async -> Outcome {
        let bytes: [UInt8]
        do { bytes = try File.read(configurationPath) } catch {
            let advice = error.isMissingFile ? "; 'title = \"…\"' is enough to begin with" : ""
            let diagnostic = Diagnostic(.error, error.reason + advice, at: Place(configurationPath))
            return Outcome(diagnostics: [diagnostic])
        }
        let (configuration, diagnostics) = SiteConfiguration.parse(bytes, path: configurationPath)
        // Groups that could not be read would only be reported again by every page.
        if !diagnostics.isEmpty { return Outcome(diagnostics: diagnostics.sorted()) }
        let slash = configurationPath.lastIndex(of: "/")
        let folder = slash.map { String(configurationPath[...$0]) } ?? ""
        return await run(configuration, in: folder, output: output ?? folder + configuration.output)
    }

    private static func run(
        _ configuration: SiteConfiguration,
        in folder: String,
        output: String
    ) async -> Outcome {
        let source = SourceTree(
            listing: folder + configuration.source,
            displayFolder: folder + configuration.source
        )
        let design = SourceTree(
            listing: folder + configuration.templates,
            displayFolder: folder + configuration.templates
        )
        let read = await source.files.filter(\.isMarkdown).concurrentMap { file in
            Page(reading: file, configuration)
        }
        let site = Site(configuration, pages: read, assets: source.files.filter { !$0.isMarkdown })
        let access = PageAccess(site)
        let templates = TemplateSet(design.files.filter { !$0.path.hasPrefix(Theme.folder) })
        let theme = Theme(design.files)
        let resolver = LinkResolver(site: site, access: access)
        let resolutions = await site.pages.concurrentMap(resolver.resolve)

        var outcome = Outcome(diagnostics: source.diagnostics + design.diagnostics)
        outcome.diagnostics += read.flatMap(\.diagnostics) + site.diagnostics + access.diagnostics
        outcome.diagnostics += templates.diagnostics + theme.diagnostics
        outcome.diagnostics += missingTemplates(site, templates, folder + configuration.templates)
        outcome.diagnostics += resolutions.flatMap(\.diagnostics)
        outcome.diagnostics.sort()
        outcome.pages = site.pages.count
        outcome.drafts = read.count - site.pages.count
        if outcome.hasErrors { return outcome }

        let renderer = PageRenderer(
            site: site,
            access: access,
            navigation: Navigation(NavigationTree(site, access)),
            templates: templates,
            theme: theme
        )
        let pages = await Array(zip(site.pages, resolutions)).concurrentMap { page, resolution in
            Publication.File(
                path: "site\(page.url)index.html",
                content: .bytes(renderer.page(page, urls: resolution.urls))
            )
        }
        let publication = Publication(
            files: pages + fixedFiles(renderer) + theme.files,
            releasesKept: configuration.releasesKept
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
            Diagnostic(.error, "there is no template '\(name).html'", at: Place(folder))
        }
        let named = site.pages.compactMap { page -> Diagnostic? in
            guard let name = page.frontMatter.template, !templates.has(name) else { return nil }
            let message = "template '\(name)' is not there; it would be '\(folder)/\(name).html'"
            return Diagnostic(.error, message, at: Place(page.file.displayPath))
        }
        return fixed + named
    }
}
