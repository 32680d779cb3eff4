import Markdown

/// A page in a search index.
struct SearchDocument: Sendable {
    let url: String
    let title: String
    /// The other texts that describe the page: label, description, tags and old URLs.
    let names: [String]
    /// The description as results show it.
    let description: String
    /// The labels of the pages above it.
    let section: String
    let headings: SearchHeadings
    /// The number of words of the text, counting repetitions.
    let wordCount: Int
    /// The range of the text in the page's file, so that a browser need not load the navigation
    /// again.
    let text: Range<Int>
}

extension SearchDocument {
    init(_ listed: ListedPage, _ page: Page, section: String, _ text: PageText) {
        let about = listed.description ?? ""
        url = listed.url
        title = listed.title
        names = [listed.label, about] + listed.tags + page.frontMatter.aliases.map(\.text)
        description = about.utf8.count <= 160 ? about : about.prefix(150) + "…"
        self.section = section
        var headings = SearchHeadings()
        for heading in page.document.headings
        where heading.level > 1 && heading.text != listed.title {
            let isSlug = heading.id == HeadingSlugs.slug(heading.text)
            headings.append(id: heading.id, text: isSlug ? "" : heading.text)
        }
        self.headings = headings
        wordCount = text.wordCount
        self.text = text.range
    }
}
