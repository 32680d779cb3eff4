import Diagnostics

/// The third stage: what the pages are together, with their addresses, readers, navigation, lists.
struct SiteModel: Sendable {
    let site: Site
    let redirects: Redirects
    let access: PageAccess
    let navigation: Navigation
    let tags: TagIndex
    let lists: SectionLists
    let feed: AtomFeed
    /// The files that no author wrote: lists, feeds, redirects.
    let generated: [GeneratedFile]

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
        tags = TagIndex(site, access, navigation)
        lists = SectionLists(site, navigation, taken: tags.hasIndex ? TagIndex.url : nil)
        feed = AtomFeed(site, access, navigation)
        generated =
            tags.files + lists.files + feed.files + Sitemap(site, navigation).files
            + redirects.files(access) + AudienceManifests(site, navigation).files
            + SearchPage(site, access, navigation, tags).files
    }

    func resolver(
        _ sources: SiteSources,
        _ images: ImageSizes,
        _ options: BuildOptions
    ) -> LinkResolver {
        LinkResolver(
            site: site,
            access: access,
            images: images,
            generated: Set(generated.map(\.url)),
            redirects: redirects,
            ignored: sources.tree.ignored,
            collectsExternalLinks: options.checks.externalLinks != nil
        )
    }
}
