import Diagnostics
import POSIX
import Rules
import SourceFolder

/// The addresses to which links lead, and the findings about links and pictures.
package struct SiteCheck: Sendable {
    package private(set) var diagnostics: [Diagnostic] = []
    /// The resolved references, by the index of the page.
    package let resolutions: [LinkResolver.Resolution]

    package init(
        _ model: SiteModel,
        _ resolver: LinkResolver,
        _ options: BuildOptions
    ) async {
        let site = model.site
        let progress = options.checks.progress
        resolutions = await site.pages.concurrentMap(
            progress.counting(.resolving, of: site.pages.count, resolver.resolve)
        )
        diagnostics = resolver.images.diagnostics + resolutions.flatMap(\.diagnostics)
        let foreignLinks = resolutions.flatMap(\.foreignLinks)
        diagnostics += ForeignConstructs.diagnostics(in: site.pages, foreignLinks)
        diagnostics += OrphanPages.diagnostics(in: site, linked: Set(resolutions.flatMap(\.pages)))
        if let externalLinks = options.checks.externalLinks {
            let links = resolutions.flatMap(\.externalLinks)
            diagnostics += await externalLinks.diagnostics(for: links, progress)
        }
    }
}

extension SiteModel {
    /// What is wrong with the site, except with its links and pictures: every doubt about who may
    /// read what is among it.
    package func diagnostics(
        _ sources: SiteSources,
        _ outlines: PageOutlines,
        _ options: BuildOptions
    ) -> [Diagnostic] {
        let folders = sources.folders
        let included = Set(outlines.pages.flatMap { $0.includedFiles.map(\.path) })
        let partFolders = Set(included.map(SitePathName.parent))
        // Who includes pages whose names begin with '_' need not be told that they are no pages.
        var diagnostics = sources.tree.diagnostics.named(.sourceFile).filter { finding in
            finding.rule != Rule.ignoredPage.rawValue
                || finding.subject.map { !partFolders.contains(SitePathName.parent(of: $0)) }
                    ?? true
        }
        diagnostics += ExcludedAccessRules.diagnostics(
            in: sources.tree.ignoredPages,
            folders.configuration,
            site,
            included: included
        )
        diagnostics += IncludedReaders.diagnostics(in: outlines.pages, site, access, options)
        diagnostics += FrontMatterInFile.diagnostics(in: site.assets.map(\.file))
        diagnostics += outlines.diagnostics + outlines.pages.flatMap(\.diagnostics)
        diagnostics += site.diagnostics + redirects.diagnostics + access.diagnostics
        diagnostics += sources.outline?.diagnostics(for: site) ?? []
        diagnostics += sources.order.diagnostics
        diagnostics += FolderPages.diagnostics(in: site, access)
        diagnostics += Reviews.overdue(site.pages)
        if site.pages.isEmpty, !options.allowsEmpty, sources.tree.diagnostics.isEmpty {
            diagnostics.append(folders.emptiness(hasUnpublished: !outlines.pages.isEmpty))
        }
        return diagnostics
    }
}
