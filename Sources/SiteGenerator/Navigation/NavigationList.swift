import Access
import Markdown

/// A navigation list as HTML, with the place known where each entry is marked as the current one.
struct NavigationList: Sendable {
    private var html: [UInt8] = []
    /// Behind the `href` of each entry.
    private var marks: [String: Int] = [:]

    /// - Parameters:
    ///   - root: the tree's root.
    ///   - open: the URLs whose children are shown: the section and what stands above it, never
    ///     the whole tree, or the site would grow with the square of its pages.
    init(_ root: NavigationTree.Entry, open: Set<String>, _ audience: Audience) {
        write(root.children, open, audience)
    }

    func html(current url: String) -> String {
        var page = html
        if let mark = marks[url] {
            page.insert(contentsOf: " aria-current=\"page\"".utf8, at: mark)
        }
        return String(decoding: page, as: UTF8.self)
    }

    private mutating func write(
        _ entries: [NavigationTree.Entry],
        _ open: Set<String>,
        _ audience: Audience
    ) {
        let shown = entries.filter { $0.isShown(to: audience) }
        if shown.isEmpty { return }
        html += "<ul>\n".utf8
        for entry in shown {
            html += "<li>".utf8
            if entry.isListed(for: audience) {
                let label = HTMLText.escape(entry.label)
                html += "<a href=\"\(HTMLText.escapeURL(SitePathName.encode(entry.url)))\"".utf8
                marks[entry.url] = html.count
                html += ">\(label)</a>".utf8
            } else {
                html += "<span>\(HTMLText.escape(entry.folderLabel))</span>".utf8
            }
            if open.contains(entry.url) || !entry.isListed(for: audience) {
                html += "\n".utf8
                write(entry.children, open, audience)
            }
            html += "</li>\n".utf8
        }
        html += "</ul>\n".utf8
    }
}
