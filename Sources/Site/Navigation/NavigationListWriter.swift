import HTML

/// Writes the HTML of a ``NavigationList``.
struct NavigationListWriter {
    private(set) var html: [UInt8] = []
    private(set) var marks: [(node: Int, position: Int)] = []
    private let view: NavigationView
    private let texts: InterfaceTexts
    /// The open folders, each with the block of its children that is shown.
    private var open: [Int: Int] = [:]
    /// How many more entries may be shown below folders without a page, which are always open.
    private var entriesLeft = 1000

    init(
        _ view: NavigationView,
        open path: ArraySlice<Int>,
        block: Int,
        _ texts: InterfaceTexts
    ) {
        self.view = view
        self.texts = texts
        for (node, next) in zip(path, path.dropFirst()) {
            open[node] = view.nodes[next].sibling / NavigationList.blockSize
        }
        if let section = path.last { open[section] = block }
    }

    mutating func write(childrenOf parent: Int) {
        let children = view.children(of: parent)
        if children.isEmpty { return }
        let size = NavigationList.blockSize
        let shown = children.dropFirst((open[parent] ?? 0) * size).prefix(size)
        html += "<ul>\n".utf8
        let before = children[..<shown.startIndex]
        writeMore(before.last, count: before.count, "{{count}} earlier")
        for node in shown { write(node) }
        let after = children[shown.endIndex...]
        writeMore(after.first, count: after.count, "{{count}} more")
        html += "</ul>\n".utf8
    }

    private mutating func write(_ node: Int) {
        let page = view.nodes[node].page
        let address = view.nodes[node].address
        let label = page?.label ?? view.folderLabel(node)
        let childCount = view.nodes[node].children.count
        let isFree = page == nil && entriesLeft > 0
        let isName = page == nil && address == nil
        let isOpen = childCount > 0 && (open[node] != nil || isFree)
        // The list of a closed folder is on its own page.
        let isFolder = childCount > 0 && !isOpen && address == nil
        html += (isFolder ? "<li class=\"folder\">" : "<li>").utf8
        if let page {
            html += "<a href=\"".utf8
            html.append(encoded: page.url)
            html += "\"".utf8
            marks.append((node, html.count))
            html += ">".utf8
            html.append(escaped: label)
            html += "</a>".utf8
        } else if let address {
            html += "<a href=\"\(HTMLText.escapeURL(address))\">".utf8
            html.append(escaped: label)
            html += "<span aria-hidden=\"true\">&#160;↗</span></a>".utf8
        } else if !isOpen {
            html += "<span>".utf8
            html.append(escaped: label)
            html += "</span>".utf8
        }
        if isOpen {
            if isFree { entriesLeft -= min(childCount, NavigationList.blockSize) }
            // Readers can fold it, with a button beside the link or by the name itself.
            html += "\n<details open><summary".utf8
            html += (isName ? ">" : " aria-label=\"").utf8
            html.append(escaped: label)
            html += (isName ? "" : "\">").utf8
            html += "</summary>\n".utf8
            write(childrenOf: node)
            html += "</details>".utf8
        }
        html += "</li>\n".utf8
    }

    /// Writes a link to the previous or next block.
    private mutating func writeMore(_ node: Int?, count: Int, _ english: String) {
        guard let page = node.flatMap({ view.nodes[$0].page }) else { return }
        html += "<li><a href=\"".utf8
        html.append(encoded: page.url)
        html += "\">… ".utf8
        html.append(escaped: texts.text(english, "count", "\(count)"))
        html += "</a></li>\n".utf8
    }
}
