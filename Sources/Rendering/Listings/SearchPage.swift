import Access
import Site

/// The page `/search/`: results if scripts run, otherwise sections and tags.
struct SearchPage: Sendable {
    static let url = "/search/"

    let files: [GeneratedFile]

    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation, _ tags: TagIndex) {
        guard site.configuration.search, site.page(at: Self.url) == nil else {
            files = []
            return
        }
        let readers = access.audience(of: Self.url)
        let sections = navigation.view(for: readers).listed(below: "/")
        let carried = readers.isSubset(of: tags.readers) ? tags.tags : []
        let texts = site.configuration.texts
        var html: [UInt8] = []
        if !sections.isEmpty { PagedList.append(sections, texts, to: &html) }
        if !carried.isEmpty {
            html += "<h2>\(texts.html("Tags"))</h2>\n".utf8
            TagIndex.append(carried, to: &html)
        }
        files = [
            GeneratedFile(
                url: Self.url,
                readers: readers,
                name: "the search page",
                .page(title: texts["Search"], html, template: "search")
            )
        ]
    }
}
