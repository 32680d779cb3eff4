import Diagnostics
import POSIX

/// The fourth stage: all findings at once, and the addresses to which links lead.
struct SiteCheck: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    /// The resolved references, by the index of the page.
    let resolutions: [LinkResolver.Resolution]

    init(
        _ sources: SiteSources,
        _ outlines: PageOutlines,
        _ model: SiteModel,
        _ resolver: LinkResolver,
        _ options: BuildOptions
    ) async {
        let folders = sources.folders
        let site = model.site
        let progress = options.checks.progress
        resolutions = await site.pages.concurrentMap(
            progress.counting(.resolving, of: site.pages.count, resolver.resolve)
        )

        diagnostics = sources.tree.diagnostics.named(.sourceFile)
        diagnostics += ExcludedAccessRules.diagnostics(
            in: sources.tree.ignoredPages,
            folders.configuration,
            site
        )
        diagnostics += FrontMatterInFile.diagnostics(in: site.assets.map(\.file))
        diagnostics += outlines.diagnostics + outlines.pages.flatMap(\.diagnostics)
        diagnostics += resolver.images.diagnostics + site.diagnostics
        diagnostics += model.redirects.diagnostics + model.access.diagnostics
        diagnostics += sources.summary?.diagnostics(for: site) ?? []
        diagnostics += resolutions.flatMap(\.diagnostics)
        let foreignLinks = resolutions.flatMap(\.foreignLinks)
        diagnostics += ForeignConstructs.diagnostics(in: site.pages, foreignLinks)
        diagnostics += FolderPages.diagnostics(in: site, model.access)
        diagnostics += OrphanPages.diagnostics(in: site, linked: Set(resolutions.flatMap(\.pages)))
        if site.pages.isEmpty, !options.allowsEmpty, sources.tree.diagnostics.isEmpty {
            diagnostics.append(folders.emptiness(outlines.pages))
        }
        if let externalLinks = options.checks.externalLinks {
            let links = resolutions.flatMap(\.externalLinks)
            diagnostics += await externalLinks.diagnostics(for: links, progress)
        }
    }
}
