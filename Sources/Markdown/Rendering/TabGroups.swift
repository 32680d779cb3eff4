import CommonMark

/// Tabs as Microsoft Learn writes them: headings that are links to `#tab/id`, and a thematic break
/// after the last.
///
/// Without a script, tabs are panels of which one is open at a time.
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

    /// The groups that are open, with their numbers.
    private var groups: [(container: Container, number: Int)] = []
    private var count = 0

    /// The start of a tab, where the heading begins one.
    mutating func open(_ node: Node) -> String? {
        guard let link = node.onlyChild, link.kind == .link, link.destination.hasPrefix("#tab/")
        else { return nil }
        let title = HTMLText.escape(link.text)
        let container = Container(node.parent)
        if let group = groups.last, group.container == container {
            return "</details>\n<details name=\"tabs-\(group.number)\">\n"
                + "<summary>\(title)</summary>\n"
        }
        count += 1
        groups.append((container, count))
        return "<div class=\"tabs\">\n"
            + "<details name=\"tabs-\(count)\" open>\n<summary>\(title)</summary>\n"
    }

    /// The end of the group that stands in a container, if one is open.
    mutating func end(in node: Node?) -> String? {
        guard let group = groups.last, group.container == Container(node) else { return nil }
        groups.removeLast()
        return "</details>\n</div>\n"
    }
}
