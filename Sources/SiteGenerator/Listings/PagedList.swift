import Access
import Markdown

/// A list of pages, split into pages of its own: `/hr/`, `/hr/page/2/`, ….
struct PagedList: Sendable {
    /// The URL of the list's first page.
    let url: String
    let title: String
    /// The readers of the list, who may all open each of its entries.
    let readers: Audience
    let entries: [ListedPage]
    let size: Int
    /// A list above this one that is not in the navigation tree.
    var above: (url: String, label: String)?

    var pageCount: Int { max(1, (entries.count + size - 1) / size) }

    /// - Parameter number: from 1.
    func url(ofPage number: Int) -> String {
        number == 1 ? url : "\(url)page/\(number)/"
    }

    /// The entries of one page as an HTML list; empty if there are none.
    func html(page number: Int) -> String {
        let start = (number - 1) * size
        let shown = entries[start..<min(start + size, entries.count)]
        return shown.isEmpty ? "" : Self.html(shown)
    }

    static func html(_ entries: some Sequence<ListedPage>) -> String {
        var html = "<ul class=\"entries\">\n"
        for entry in entries {
            let url = HTMLText.escapeURL(SitePathName.encode(entry.url))
            html += "<li><a href=\"\(url)\">\(HTMLText.escape(entry.title))</a>"
            if let day = entry.date { html += " <time datetime=\"\(day)\">\(day)</time>" }
            if let text = entry.description { html += "<p>\(HTMLText.escape(text))</p>" }
            html += "</li>\n"
        }
        return html + "</ul>\n"
    }

    /// The generated pages of the list.
    ///
    /// - Parameter first: 1, or 2 if the first page is an author's page.
    func files(from first: Int = 1, name: String) -> [GeneratedFile] {
        guard first <= pageCount else { return [] }
        return (first...pageCount).map { number in
            GeneratedFile(url: url(ofPage: number), readers: readers, name: name) { renderer in
                renderer.list(self, page: number)
            }
        }
    }
}
