import Diagnostics
import SourceFolder

/// What the pages are together: their addresses, readers and navigation.
package struct SiteModel: Sendable {
    package let site: Site
    package let redirects: Redirects
    package let access: PageAccess
    package let navigation: Navigation

    /// - Parameter linked: the URLs of the files to which pages link, where others are not published;
    ///   `nil` as long as that is not known.
    package init(_ sources: SiteSources, _ pages: [Page], linked: Set<String>? = nil) {
        site = Site(
            sources.folders.configuration,
            folder: sources.folders.sourceName,
            pages: pages,
            assets: sources.assets.filter { file in
                guard let linked, sources.wantsLink(file) else { return true }
                return linked.contains(SitePathName.url(ofFile: file.path))
                    || sources.folders.configuration.filter.names(file.path)
            }
        )
        redirects = Redirects(site)
        access = PageAccess(site, redirects)
        navigation = Navigation(NavigationTree(site, access, sources.outline, sources.order))
    }
}
