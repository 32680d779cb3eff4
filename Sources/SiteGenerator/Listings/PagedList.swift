import Access
import Markdown

/// A list of pages, cut into pages of its own: `/hr/`, `/hr/page/2/`, ….
struct PagedList: Sendable {
    /// Of the first page.
    let url: String
    let title: String
    /// All of them may read everything on the list.
    let readers: Audience
    let entries: [ListedPage]
    let size: Int
    /// Another list that leads to this one and is no page of the tree.
    var above: (url: String, label: String)?

    var pageCount: Int { max(1, (entries.count + size - 1) / size) }

    /// - Parameter number: from 1.
    func url(ofPage number: Int) -> String {
        number == 1 ? url : "\(url)page/\(number)/"
    }

    /// The entries of a page as a list in HTML; empty where there are none.
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

    /// The pages from the first one on that an author's page does not hold.
    ///
    /// - Parameter first: 1, or 2 where the first page is an author's.
    func files(from first: Int = 1, name: String) -> [GeneratedFile] {
        guard first <= pageCount else { return [] }
        return (first...pageCount).map { number in
            GeneratedFile(url: url(ofPage: number), readers: readers, name: name) { renderer in
                renderer.list(self, page: number)
            }
        }
    }
}
