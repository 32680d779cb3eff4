import Bytes
import Markdown
import Search
import Site
import SourceFolder

extension SearchDocument {
    init(
        _ listed: ListedPage,
        _ page: Page,
        section: String,
        _ text: PageText,
        links: [[UInt8]]
    ) {
        let about = listed.description ?? ""
        // By its parts alone: as one word, the address of each page would be in the index.
        let name = page.url.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring().utf8
        let address: [UInt8] = name.map { $0.isPartOfWord ? $0 : .space }
        var headings = SearchHeadings()
        for heading in page.document.headings
        where heading.level > 1 && heading.text != listed.title {
            let isSlug = heading.id == HeadingSlugs.slug(heading.text)
            headings.append(id: heading.id, text: isSlug ? "" : heading.text)
        }
        self.init(
            url: listed.url,
            title: listed.title,
            names: [listed.label, about] + listed.tags + page.frontMatter.aliases.map(\.text)
                + [String(decoding: address, as: UTF8.self)],
            links: links,
            description: about.utf8.count <= 160 ? about : about.prefix(150) + "…",
            section: section,
            headings: headings,
            wordCount: text.wordCount,
            text: text.range
        )
    }
}
