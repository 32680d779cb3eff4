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
    private let byName: [String: Int]

    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        let readers = access.audience(of: Self.url)
        var found: [String: (name: String, pages: [ListedPage])] = [:]
        for page in navigation.view(for: readers).order {
            for tag in page.tags { found[tag.lowercased(), default: (tag, [])].pages.append(page) }
        }
        var slugs = HeadingSlugs()
        let tags = found.sorted { $0.key < $1.key }.map { _, tag in
            Tag(
                name: tag.name,
                url: "\(Self.url)\(slugs.next(for: tag.name))/",
                pages: tag.pages.sorted {
                    ($0.title.lowercased(), $0.url) < ($1.title.lowercased(), $1.url)
                }
            )
        }
        self.readers = readers
        self.tags = tags
        byName = Dictionary(
            tags.indices.map { (tags[$0].name.lowercased(), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let hasIndex = !tags.isEmpty && site.page(at: Self.url) == nil
        self.hasIndex = hasIndex
        let size = site.configuration.listingSize
        var files = tags.flatMap { tag in
            let title = "Tag: \(tag.name)"
            return PagedList(
                url: tag.url,
                title: title,
                readers: readers,
                entries: tag.pages,
                size: size,
                above: hasIndex ? (Self.url, "Tags") : nil
            ).files(name: "the list of the tag '\(tag.name)'")
        }
        if hasIndex {
            let html = Self.html(tags)
            files.append(
                GeneratedFile(url: Self.url, readers: readers, name: "the list of tags") {
                    $0.list(at: Self.url, title: "Tags", readers, html)
                }
            )
        }
        self.files = files
    }

    /// The tags of a page as list items, each a link if all readers of the page may open it.
    func html(_ names: [String], for audience: Audience) -> String {
        names.map { name in
            let text = HTMLText.escape(name)
            guard let index = byName[name.lowercased()], audience.isSubset(of: readers) else {
                return "<li>\(text)</li>"
            }
            return "<li><a href=\"\(Self.href(tags[index]))\" rel=\"tag\">\(text)</a></li>"
        }.joined(separator: "\n")
    }

    static func html(_ tags: [Tag]) -> String {
        var html = "<ul class=\"entries\">\n"
        for tag in tags {
            let name = HTMLText.escape(tag.name)
            html += "<li><a href=\"\(href(tag))\">\(name)</a> (\(tag.pages.count))</li>\n"
        }
        return html + "</ul>\n"
    }

    private static func href(_ tag: Tag) -> String {
        HTMLText.escapeURL(SitePathName.encode(tag.url))
    }
}
