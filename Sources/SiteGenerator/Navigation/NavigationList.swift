import Markdown

/// A navigation list as HTML, in which the current page can be marked.
struct NavigationList: Sendable {
    /// The maximum number of siblings in a list.
    ///
    /// If each page listed all its siblings, the site would grow with the square of its pages.
    static let blockSize = 200

    private var html: [UInt8] = []
    /// The position after the `href` of each entry, by URL.
    private var marks: [String: Int] = [:]
    /// The open folders by URL, each with the block of its children that is shown.
    private let open: [String: Int]
    /// How many more entries may be shown below folders without a page, which are always open.
    private var entriesLeft = 1000

    /// - Parameters:
    ///   - path: the open folders, from the root to the section.
    ///   - block: the block of the section's children that is shown.
    init(_ view: NavigationView, open path: [NavigationView.Node], block: Int) {
        var open: [String: Int] = [:]
        for (node, next) in zip(path, path.dropFirst()) {
            open[node.url] = view.index(of: next) / Self.blockSize
        }
        if let section = path.last { open[section.url] = block }
        self.open = open
        if let root = path.first { write(root) }
    }

    var linkCount: Int { marks.count }

    func html(current url: String) -> String {
        var page = html
        if let mark = marks[url] {
            page.insert(contentsOf: " aria-current=\"page\"".utf8, at: mark)
        }
        return String(decoding: page, as: UTF8.self)
    }

    private mutating func write(_ parent: NavigationView.Node) {
        let nodes = parent.children
        if nodes.isEmpty { return }
        let start = min((open[parent.url] ?? 0) * Self.blockSize, nodes.count)
        let end = min(start + Self.blockSize, nodes.count)
        html += "<ul>\n".utf8
        writeMore(nodes[..<start].last, count: start, "earlier")
        for node in nodes[start..<end] {
            let isName = node.page == nil && entriesLeft > 0
            let isOpen = !node.children.isEmpty && (open[node.url] != nil || isName)
            html += (node.children.isEmpty || isOpen ? "<li>" : "<li class=\"folder\">").utf8
            if let page = node.page {
                html += "<a href=\"\(HTMLText.escapeURL(SitePathName.encode(page.url)))\"".utf8
                marks[page.url] = html.count
                html += ">\(HTMLText.escape(page.label))</a>".utf8
            } else if !isOpen {
                html += "<span>\(HTMLText.escape(node.folderLabel))</span>".utf8
            }
            if isOpen {
                if isName { entriesLeft -= min(node.children.count, Self.blockSize) }
                // Readers can fold it, with a button beside the link or by the name itself.
                let label = HTMLText.escape(node.page?.label ?? node.folderLabel)
                let summary = node.page == nil ? ">\(label)" : " aria-label=\"\(label)\">"
                html += "\n<details open><summary\(summary)</summary>\n".utf8
                write(node)
                html += "</details>".utf8
            }
            html += "</li>\n".utf8
        }
        writeMore(nodes[end...].first, count: nodes.count - end, "more")
        html += "</ul>\n".utf8
    }

    /// Writes a link to the previous or next block.
    private mutating func writeMore(_ node: NavigationView.Node?, count: Int, _ word: String) {
        guard let url = node?.page?.url else { return }
        let href = HTMLText.escapeURL(SitePathName.encode(url))
        html += "<li><a href=\"\(href)\">… \(count) \(word)</a></li>\n".utf8
    }
}
