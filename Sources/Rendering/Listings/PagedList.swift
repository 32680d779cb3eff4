import Access
import Site
import SourceFolder

/// A list of pages, split into pages of its own: `/hr/`, `/hr/page/2/`, ….
struct PagedList: Sendable {
    /// The URL of the list's first page.
    let url: String
    let title: String
    /// The readers of the list, who may all open each of its entries.
    let readers: Audience
    let entries: [ListedPage]
    /// Whether the newest come first.
    let isByDate: Bool
    let size: Int
    /// A list above this one that is not in the navigation tree.
    var above: (url: String, label: String)?

    /// - Parameter order: `nil` for the newest first if each entry has a date and no author gave one
    ///   its place: a list of news is read from its end; the pages of a manual stay in their order.
    init(
        url: String,
        title: String,
        readers: Audience,
        entries: [ListedPage],
        order: FrontMatter.ListOrder? = nil,
        size: Int,
        above: (url: String, label: String)? = nil
    ) {
        isByDate =
            order.map { $0 == .date }
            ?? (!entries.isEmpty && entries.allSatisfy { $0.date != nil && !$0.isOrdered })
        self.entries = isByDate ? Self.newestFirst(entries) : entries
        (self.url, self.title, self.readers) = (url, title, readers)
        (self.size, self.above) = (size, above)
    }

    /// The entries with the newest first, then those without a date.
    private static func newestFirst(_ entries: [ListedPage]) -> [ListedPage] {
        let seconds = entries.map { $0.date?.seconds ?? .min }
        return entries.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }
            .map { entries[$0] }
    }

    /// The entries that have the date of a change, or their author's, with the newest first.
    static func recent(_ entries: some Sequence<ListedPage>) -> [ListedPage] {
        let dated = entries.compactMap { page in
            (page.updated ?? page.date).map { (seconds: $0.seconds, page: page) }
        }
        return dated.sorted { ($1.seconds, $0.page.url) < ($0.seconds, $1.page.url) }.map(\.page)
    }

    var pageCount: Int { max(1, (entries.count + size - 1) / size) }

    /// - Parameter number: from 1.
    func url(ofPage number: Int) -> String {
        number == 1 ? url : "\(url)page/\(number)/"
    }

    /// Appends the entries of one page as an HTML list; nothing if there are none.
    func append(page number: Int, _ texts: InterfaceTexts, to html: inout [UInt8]) {
        let shown = entries.dropFirst((number - 1) * size).prefix(size)
        Self.append(shown, texts, hasExcerpts: isByDate || url == "/", to: &html)
    }

    static func append(
        _ entries: some Collection<ListedPage>,
        _ texts: InterfaceTexts,
        hasExcerpts: Bool = false,
        hasChanges: Bool = false,
        to html: inout [UInt8]
    ) {
        if entries.isEmpty { return }
        html += "<ul class=\"entries\">\n".utf8
        for entry in entries {
            html += "<li><a href=\"".utf8
            html.append(encoded: entry.url)
            html += "\">".utf8
            html.append(escaped: entry.title)
            html += "</a>".utf8
            if let date = hasChanges ? entry.updated ?? entry.date : entry.date {
                html += " <time datetime=\"".utf8
                html += date.text.utf8
                html += "\">".utf8
                html.append(escaped: texts.date(date.day))
                html += "</time>".utf8
            }
            if !hasChanges, let text = hasExcerpts ? entry.excerpt : entry.description {
                html += "<p>".utf8
                html.append(escaped: text)
                html += "</p>".utf8
            }
            html += "</li>\n".utf8
        }
        html += "</ul>\n".utf8
    }

    /// The generated pages of the list.
    ///
    /// - Parameter first: 1, or 2 if the first page is an author's page.
    func files(from first: Int = 1, name: String) -> [GeneratedFile] {
        guard first <= pageCount else { return [] }
        return (first...pageCount).map { number in
            GeneratedFile(
                url: url(ofPage: number),
                readers: readers,
                name: name,
                .list(self, page: number)
            )
        }
    }
}
