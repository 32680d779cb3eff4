import CommonMark

/// Tabs as Microsoft Learn writes them: headings that are links to `#tab/id`, and a thematic break
/// after the last.
///
/// Without a script, tabs are panels of which one is open at a time.
struct TabGroups {
    private(set) var isOpen = false
    private var count = 0

    /// The start of a tab, where the heading begins one.
    mutating func open(_ node: Node) -> String? {
        guard node.parent?.kind == .document, let link = node.onlyChild, link.kind == .link,
            link.destination.hasPrefix("#tab/")
        else { return nil }
        let title = HTMLText.escape(link.text)
        defer { isOpen = true }
        if isOpen {
            return "</details>\n<details name=\"tabs-\(count)\">\n<summary>\(title)</summary>\n"
        }
        count += 1
        return "<div class=\"tabs\">\n"
            + "<details name=\"tabs-\(count)\" open>\n<summary>\(title)</summary>\n"
    }

    mutating func end() -> String {
        guard isOpen else { return "" }
        isOpen = false
        return "</details>\n</div>\n"
    }
}
