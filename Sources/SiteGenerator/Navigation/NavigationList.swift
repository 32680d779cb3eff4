import Markdown

/// A navigation list as HTML, with the place known where each entry is marked as the current one.
struct NavigationList: Sendable {
    /// How many siblings are shown at once.
    ///
    /// A list of all of them on each of them would let a site grow with the square of its pages.
    static let blockSize = 200

    private var html: [UInt8] = []
    /// Behind the `href` of each entry.
    private var marks: [String: Int] = [:]
    /// The URLs whose children are shown, each with the block of them that is.
    private let open: [String: Int]
    /// Folders that are but a name show what is below them everywhere, up to a limit.
    private var entriesLeft = 1000

    /// - Parameters:
    ///   - path: from the root to the section: what is open, never the whole tree.
    ///   - block: which of the section's children are shown.
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
                // Can be folded by the reader, with a button beside the link or by the name itself.
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

    /// Leads to the block before or behind.
    private mutating func writeMore(_ node: NavigationView.Node?, count: Int, _ word: String) {
        guard let url = node?.page?.url else { return }
        let href = HTMLText.escapeURL(SitePathName.encode(url))
        html += "<li><a href=\"\(href)\">… \(count) \(word)</a></li>\n".utf8
    }
}
