import Diagnostics
import Site

/// The files that no author wrote: lists, feeds, redirects.
package struct SiteListings: Sendable {
    let tags: TagIndex
    let lists: SectionLists
    let feed: AtomFeed
    package let generated: [GeneratedFile]

    package init(_ model: SiteModel) {
        let (site, access, navigation) = (model.site, model.access, model.navigation)
        tags = TagIndex(site, access, navigation)
        let taken = model.redirects.all.map { $0.url.lowercased() } + [TagIndex.url]
        lists = SectionLists(
            site,
            access,
            navigation,
            taken: Set(tags.hasIndex ? taken : taken.dropLast())
        )
        feed = AtomFeed(site, access, navigation)
        generated =
            tags.files + lists.files + feed.files + Sitemap(site, navigation).files
            + model.redirects.files(access) + AudienceManifests(site, navigation).files
            + SearchPage(site, access, navigation, tags).files
            + MarkdownFiles(site, access, navigation).files
    }

    /// Where links may lead; to a page, and not to its Markdown.
    package var urls: Set<String> { Set(generated.filter { !$0.isMarkdown }.map(\.url)) }

    /// - Parameter source: the source folder.
    package func diagnostics(_ model: SiteModel, source: String) -> [Diagnostic] {
        GeneratedFileCheck(generated, model.site, model.access, source: source).diagnostics
            + CompressedCopies.diagnostics(in: model.site, generated.map(\.path))
            + ReplacedOutputs.diagnostics(in: model.site, tags)
    }
}
