import Diagnostics

/// What the pages are together: their addresses, readers and navigation.
package struct SiteModel: Sendable {
    package let site: Site
    package let redirects: Redirects
    package let access: PageAccess
    package let navigation: Navigation

    package init(_ sources: SiteSources, _ pages: [Page]) {
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
