import CommonMark

/// Headings: their ids, and what is wrong with their levels.
extension HTMLRenderer {
    mutating func visitHeading(_ node: Node, _ entering: Bool) -> Document.Step {
        if structure.tables[node.line] != nil {
            writeRow(node.line)
            return .skip
        }
        if structure.footnotes[node.line]?.isEmpty == true, node.endLine == node.line,
            let parent = node.parent, structure.isFootnote(parent)
        {
            return .skip
        }
        if structure.hasBorrowedBlocks {
            if let block = structure.borrowedBlock(node) {
                visit(block, marker: node)
                return .skip
            }
            // The heading behind the mark of a block without a text of its own.
            if let parent = node.parent, parent.line == node.line,
                structure.borrowedBlock(parent) != nil
            {
                return .skip
            }
        }
        guard entering else {
            endHeading(node, id: nil)
            return .descend
        }
        if let link = node.onlyChild, link.kind == .link, link.destination.hasPrefix("#tab/") {
            let isFirst = beginTab(in: node.parent)
            write(text: "<details open>\n<summary>\(HTMLText.escape(link.text))</summary>\n")
            enterTab(in: node.parent, isFirst: isFirst)
            return .skip
        }
        startLine()
        write("<h")
        write(digit: node.headingLevel)
        headingStart = output.html.count
        isInHeading = true
        write(">")
        guard let leaf = leaves.texts[node.line] else { return .descend }
        write(inlinesOf: leaf)
        endHeading(node, id: leaves.headingIDs[node.line])
        return .skip
    }

    private mutating func endHeading(_ node: Node, id chosen: String?) {
        let level = node.headingLevel
        isInHeading = false
        let end = output.html.count
        write("</h")
        write(digit: level)
        write(">\n")
        guard !options.commonMarkOnly else { return }
        checkLevel(node)
        let visible = HeadingText.of(output.html[(headingStart + 1)..<end])
        let text = String(decoding: visible, as: UTF8.self)
        let (id, problem) = ids.next(chosen: chosen, text: text)
        if let problem { find(problem, SourceRange(node)) }
        output.headings.append(.init(level: level, id: id, text: text))
        var attribute: [UInt8] = []
        attribute.append(" id=\"")
        HTMLText.escape(id.utf8.span, into: &attribute)
        attribute.append(UInt8(ascii: "\""))
        output.insert(attribute, at: headingStart)
        // Beside the heading: a link inside would be read as part of the heading.
        guard options.themed, level > 1 else { return }
        write("<a class=\"anchor\" href=\"#")
        HTMLText.escapeURL(id.utf8.span, into: &output.html)
        write("\" aria-labelledby=\"")
        HTMLText.escape(id.utf8.span, into: &output.html)
        write("\"></a>\n")
    }

    private mutating func checkLevel(_ node: Node) {
        let level = node.headingLevel
        let last = output.headings.last?.level ?? 1
        if level > last + 1 { find(.skippedHeadingLevel(from: last, to: level), SourceRange(node)) }
        if level == 1 {
            if output.hasTopHeading { find(.secondTopHeading, SourceRange(node)) }
            output.hasTopHeading = true
        }
    }
}
