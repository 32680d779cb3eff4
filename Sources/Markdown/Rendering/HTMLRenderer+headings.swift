import Bytes
import HTML

/// Headings: their ids, and what is wrong with their levels.
extension HTMLRenderer {
    mutating func visitHeading(_ block: Block) {
        guard case .heading(let level, let id) = block.details else { return }
        let leaf = block.text
        if let title = titleOfTab(leaf) {
            let isFirst = beginTab(in: block.parent)
            write(text: "<details open>\n<summary>\(HTMLText.escape(title))</summary>\n")
            return enterTab(in: block.parent, isFirst: isFirst)
        }
        startLine()
        write("<h")
        write(digit: level)
        headingStart = output.html.count
        isInHeading = true
        write(">")
        write(inlinesOf: leaf)
        isInHeading = false
        endHeading(level, block.range, id: id)
    }

    /// `[Title](#tab/name)` of Microsoft Learn.
    private mutating func titleOfTab(_ leaf: LeafText) -> String? {
        guard leaf.bytes.first == UInt8(ascii: "[") else { return nil }
        inlines.parse(leaf.bytes)
        guard let link = inlines.tree.onlyNode, link.kind == .link,
            inlines.addresses[link.address].destination.hasPrefix("#tab/")
        else { return nil }
        return inlines.text
    }

    private mutating func endHeading(_ level: Int, _ range: SourceRange, id chosen: String?) {
        let end = output.html.count
        write("</h")
        write(digit: level)
        write(">\n")
        guard !options.commonMarkOnly else { return }
        checkLevel(level, range)
        let visible = HeadingText.of(output.html[(headingStart + 1)..<end])
        let text = String(decoding: visible, as: UTF8.self)
        let (id, problem) = ids.next(chosen: chosen, text: withNamesOfEmoji(text))
        if let problem { find(problem, range) }
        if output.headings.isEmpty, outerOutputs.isEmpty {
            output.opensWithHeading = HTMLMarkup.isComments(output.html[..<(headingStart - 3)])
        }
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

    /// As GitHub makes ids: of `:rocket:` the name counts, of the character nothing.
    private func withNamesOfEmoji(_ text: String) -> String {
        var rest = text[...]
        var named = ""
        for (character, name) in inlines.emoji {
            guard let range = rest.firstRange(of: character) else { break }
            named += rest[..<range.lowerBound] + name
            rest = rest[range.upperBound...]
        }
        return named.isEmpty ? text : named + rest
    }

    private mutating func checkLevel(_ level: Int, _ range: SourceRange) {
        let last = output.headings.last?.level ?? 1
        if level > last + 1 { find(.skippedHeadingLevel(from: last, to: level), range) }
        if level == 1 {
            if output.hasTopHeading { find(.secondTopHeading, range) }
            output.hasTopHeading = true
        }
    }
}
