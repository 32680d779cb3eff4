import Access
import Markdown
import Site
import SourceFolder

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
        /// The places of these pages among all pages with tags, in ascending order.
        fileprivate let places: [Int]
    }

    /// Sorted by name.
    let tags: [Tag]
    let files: [GeneratedFile]
    /// Whether the list of all tags is generated.
    let hasIndex: Bool

    /// The readers of the list of all tags.
    let readers: Audience
    /// All pages with tags, sorted by title.
    private let pages: [ListedPage]
    /// The places of URLs in `pages`.
    private let places: [String: Int]
    /// By names in lower case.
    private let numbers: [String: Int]
    /// By names as pages write them.
    private let spellings: [String: Int]

    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        let readers = access.audience(of: Self.url)
        let found = FoundTags(navigation.view(for: readers).order)
        var slugs = HeadingSlugs()
        let tags = found.tags.map { name, places in
            Tag(
                name: name,
                url: "\(Self.url)\(slugs.next(for: name))/",
                pages: places.map { found.pages[$0] },
                places: places
            )
        }
        pages = found.pages
        places = Dictionary(
            found.pages.enumerated().map { ($1.url, $0) },
            uniquingKeysWith: { first, _ in first }
        )
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
            var html: [UInt8] = []
            Self.append(tags, to: &html)
            files.append(
                GeneratedFile(
                    url: Self.url,
                    readers: readers,
                    name: "the list of tags",
                    .page(title: texts["Tags"], html, template: "list")
                )
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
        // In one order, because sums of fractions depend on it.
        let shared = Set(page.frontMatter.tags.compactMap { numbers[$0.lowercased()] }).sorted()
            .map { tags[$0].places }.filter { $0.count <= Self.maximumRelated }
        for (index, place) in best(of: shared, without: places[page.url]).enumerated() {
            html += (index == 0 ? "<li><a href=\"" : "\n<li><a href=\"").utf8
            html.append(encoded: pages[place].url)
            html += "\">".utf8
            html.append(escaped: pages[place].title)
            html += "</a></li>".utf8
        }
    }

    /// The places that most lists have, each list the worthier the shorter it is.
    ///
    /// - Parameter lists: of ascending places.
    private func best(of lists: [[Int]], without own: Int?) -> [Int] {
        var best: [(place: Int, worth: Double)] = []
        var positions = [Int](repeating: 0, count: lists.count)
        while true {
            var place = Int.max
            for (list, position) in zip(lists, positions) where position < list.count {
                place = min(place, list[position])
            }
            if place == .max { return best.map(\.place) }
            var worth = 0.0
            for index in lists.indices
            where positions[index] < lists[index].count && lists[index][positions[index]] == place {
                worth += 1 / Double(lists[index].count)
                positions[index] += 1
            }
            if place == own { continue }
            // Of pages that are worth the same, the first by title stays before.
            let end = best.firstIndex { $0.worth < worth } ?? best.count
            if end < Self.relatedCount { best.insert((place, worth), at: end) }
            if best.count > Self.relatedCount { best.removeLast() }
        }
    }

    static func append(_ tags: [Tag], to html: inout [UInt8]) {
        html += "<ul class=\"tags is-all\">\n".utf8
        for tag in tags {
            html += "<li><a href=\"".utf8
            html.append(encoded: tag.url)
            html += "\">".utf8
            html.append(escaped: tag.name)
            html += "</a> <span>\(tag.pages.count)</span></li>\n".utf8
        }
        html += "</ul>\n".utf8
    }
}
