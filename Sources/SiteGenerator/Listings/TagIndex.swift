import Access
import Markdown

/// The pages of each tag that all readers of `/tags/` may open.
///
/// A tag that only other pages have does not appear: not in the list of tags, not as a page, and
/// not as a link.
struct TagIndex: Sendable {
    static let url = "/tags/"

    struct Tag: Sendable {
        let name: String
        let url: String
        let pages: [ListedPage]
    }

    /// Sorted by name.
    let tags: [Tag]
    let files: [GeneratedFile]
    /// Whether the list of all tags is generated.
    let hasIndex: Bool

    /// The readers of the list of all tags.
    let readers: Audience
    /// By names in lower case.
    private let numbers: [String: Int]
    /// By names as pages write them.
    private let spellings: [String: Int]

    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        let readers = access.audience(of: Self.url)
        let found = FoundTags(navigation.view(for: readers).order)
        var slugs = HeadingSlugs()
        let tags = found.tags.map { name, pages in
            Tag(name: name, url: "\(Self.url)\(slugs.next(for: name))/", pages: pages)
        }
        self.readers = readers
        self.tags = tags
        (numbers, spellings) = (found.numbers, found.spellings)
        let hasIndex = !tags.isEmpty && site.page(at: Self.url) == nil
        self.hasIndex = hasIndex
        let size = site.configuration.listingSize
        let texts = site.configuration.texts
        var files = tags.flatMap { tag in
            let title = texts.text("Tag: {{tag}}", "tag", tag.name)
            return PagedList(
                url: tag.url,
                title: title,
                readers: readers,
                entries: tag.pages,
                size: size,
                above: hasIndex ? (Self.url, texts["Tags"]) : nil
            ).files(name: "the list of the tag '\(tag.name)'")
        }
        if hasIndex {
            files.append(
                GeneratedFile(url: Self.url, readers: readers, name: "the list of tags") {
                    var html: [UInt8] = []
                    Self.append(tags, to: &html)
                    return $0.list(at: Self.url, title: texts["Tags"], readers, html)
                }
            )
        }
        self.files = files
    }

    /// Appends the tags of a page as list items, each a link if all readers of the page may open it.
    func append(_ names: [String], for audience: Audience, to html: inout [UInt8]) {
        let isLinked = audience.isSubset(of: readers)
        for (index, name) in names.enumerated() {
            html += (index == 0 ? "<li>" : "\n<li>").utf8
            let number = isLinked ? spellings[name] ?? numbers[name.lowercased()] : nil
            if let number {
                html += "<a href=\"".utf8
                html.append(encoded: tags[number].url)
                html += "\" rel=\"tag\">".utf8
            }
            html.append(escaped: name)
            html += (number == nil ? "</li>" : "</a></li>").utf8
        }
    }

    /// The most pages of a tag that says something of its pages.
    private static let maximumRelated = 100
    private static let relatedCount = 4

    /// Appends the pages that share most tags with a page as list items; rare tags count most.
    func append(relatedTo page: Page, for audience: Audience, to html: inout [UInt8]) {
        guard audience.isSubset(of: readers) else { return }
        var scores: [String: (worth: Double, page: ListedPage)] = [:]
        for name in Set(page.frontMatter.tags.map { $0.lowercased() }) {
            guard let number = numbers[name] else { continue }
            let pages = tags[number].pages
            if pages.count > Self.maximumRelated { continue }
            for other in pages where other.url != page.url {
                scores[other.url, default: (0, other)].worth += 1 / Double(pages.count)
            }
        }
        let best = scores.values.sorted { ($1.worth, $0.page.url) < ($0.worth, $1.page.url) }
        for (index, (_, page)) in best.prefix(Self.relatedCount).enumerated() {
            html += (index == 0 ? "<li><a href=\"" : "\n<li><a href=\"").utf8
            html.append(encoded: page.url)
            html += "\">".utf8
            html.append(escaped: page.title)
            html += "</a></li>".utf8
        }
    }

    static func append(_ tags: [Tag], to html: inout [UInt8]) {
        html += "<ul class=\"entries\">\n".utf8
        for tag in tags {
            html += "<li><a href=\"".utf8
            html.append(encoded: tag.url)
            html += "\">".utf8
            html.append(escaped: tag.name)
            html += "</a> (\(tag.pages.count))</li>\n".utf8
        }
        html += "</ul>\n".utf8
    }
}
