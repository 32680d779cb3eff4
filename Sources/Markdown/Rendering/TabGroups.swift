import CommonMark

/// Tabs as Microsoft Learn writes them: headings that are links to `#tab/id`, and a thematic break
/// after the last.
///
/// Without a script, and on paper, all panels are shown, one below the other.
struct TabGroups {
    /// The quote, item or document in which a group stands: groups may be in lists.
    private struct Container: Equatable {
        let line: Int
        let column: Int

        init(_ node: Node?) {
            let isDocument = node == nil || node?.kind == .document
            line = isDocument ? 0 : node?.line ?? 0
            column = isDocument ? 0 : node?.column ?? 0
        }
    }

    /// The containers with an open group.
    private var containers: [Container] = []

    /// Whether the innermost group stands in a container.
    func isOpen(in node: Node?) -> Bool {
        !containers.isEmpty && containers.last == Container(node)
    }

    /// The start of a tab, where the heading begins one.
    mutating func open(_ node: Node) -> String? {
        guard let link = node.onlyChild, link.kind == .link, link.destination.hasPrefix("#tab/")
        else { return nil }
        let title = HTMLText.escape(link.text)
        let container = Container(node.parent)
        if containers.last == container {
            return "</details>\n<details open>\n<summary>\(title)</summary>\n"
        }
        containers.append(container)
        return "<div class=\"tabs\">\n"
            + "<details open>\n<summary>\(title)</summary>\n"
    }

    /// The end of the group that stands in a container, if one is open.
    mutating func end(in node: Node?) -> String? {
        guard isOpen(in: node) else { return nil }
        containers.removeLast()
        return "</details>\n</div>\n"
    }
}
