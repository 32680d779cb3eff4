import Diagnostics

/// What the pages are together: their addresses, readers and navigation.
struct SiteModel: Sendable {
    let site: Site
    let redirects: Redirects
    let access: PageAccess
    let navigation: Navigation

    init(_ sources: SiteSources, _ pages: [Page]) {
        site = Site(
            sources.folders.configuration,
            folder: sources.folders.sourceName,
            pages: pages,
            assets: sources.assets
        )
        redirects = Redirects(site)
        access = PageAccess(site, redirects)
        navigation = Navigation(NavigationTree(site, access, sources.summary))
    }
}
