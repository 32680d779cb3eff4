import Bytes
import HTML

/// Quotes, lists and paragraphs.
extension HTMLRenderer {
    mutating func visitBlockQuote(_ node: Block, _ entering: Bool) {
        startLine()
        guard entering else {
            endBlocks(in: node)
            write(text: authorHTML.elements.leave())
            switch quotes.popLast() {
            case .division: return write("</div>\n")
            case .folded: return write("</details>\n")
            case .quotation: return write("</blockquote>\n")
            case nil: return
            }
        }
        var found: Callout.Quote?
        if case .quote(let quote) = node.details { found = quote }
        if case .alert(let admonition) = found?.callout, admonition.fold != .none {
            quotes.append(.folded)
        } else {
            quotes.append(found == nil ? .quotation : .division)
        }
        switch found?.callout {
        case .alert(let admonition): begin(admonition, title: found?.title)
        case .division(let classes):
            write("<div class=\"")
            write(text: classes)
            write("\">\n")
        case nil: write("<blockquote>\n")
        }
        authorHTML.elements.enter(allowsBlocks: true)
    }

    mutating func visitList(_ node: Block, _ entering: Bool) {
        guard case .list(let type, _) = node.details else { return }
        switch type {
        case .definitions: return visitDefinitions(node, entering)
        case _ where entering: startLine()
        case .bullet: return write("</ul>\n")
        case .ordered: return write("</ol>\n")
        }
        switch type {
        case .ordered(_, start: 1): write("<ol>\n")
        case .ordered(_, let start): write(text: "<ol start=\"\(start)\">\n")
        default: write("<ul>\n")
        }
    }

    mutating func visitItem(_ node: Block, _ entering: Bool) {
        if node.parent?.isDefinitionList == true { return visitDefinition(node, entering) }
        guard entering else {
            endBlocks(in: node)
            write(text: authorHTML.elements.leave())
            return write("</li>\n")
        }
        startLine()
        if case .item(let isDone?) = node.details { write(taskDone: isDone) } else { write("<li>") }
        authorHTML.elements.enter(allowsBlocks: true)
    }

    /// Begins an item with GitHub's box; the label is for screen readers.
    private mutating func write(taskDone isDone: Bool) {
        write("<li class=\"task\"><input type=\"checkbox\" ")
        if isDone { write("checked ") }
        write("disabled aria-label=\"")
        write(text: options.html(isDone ? MarkdownOptions.completed : MarkdownOptions.incomplete))
        write("\" /> ")
    }

    mutating func visitParagraph(_ node: Block) {
        // In a tight list an item's paragraphs are its text.
        let parent = node.parent
        let isTight = parent?.parent?.isTightList == true && blocks.innermost(in: parent) == nil
        let isTerm = isTerm(node)
        let leaf = node.text
        findLiteralMarks(in: node)
        if !isTight, !isTerm { findCaption(of: leaf) }
        // The first line of an alert may be the whole paragraph.
        if leaf.bytes.isEmpty {
            if isTerm { beginDefinitions(of: node) }
            return
        }
        if parent?.kind == .document, options.borrowedBlocks, leaf.mayBeForeign,
            ForeignConstructFinder.isModule(leaf.bytes[...])
        {
            return lists.note(.module, line: node.line, column: node.column)
        }
        if options.borrowedBlocks, leaf.bytes.elementsEqual("[[_TOSP_]]".utf8) {
            return lists.note(.subpages, line: node.line, column: node.column)
        }
        if wantsContents(leaf), parent?.kind == .document {
            contentsOffsets.append(output.html.count)
            if isTerm { beginDefinitions(of: node) }
            return
        }
        beginParagraph(node, isTight: isTight, isTerm: isTerm)
        let start = output.html.count
        let link = linkAddress
        linkAddress = nil
        if let link, enterLink(node.range) { openLink(link, "", node.range) }
        // '{% content-ref %}' of GitBook.
        if case .begin(.division) = node.previousSibling?.dialect { hasMentions = true }
        defer { hasMentions = false }
        write(
            inlinesOf: leaf,
            mayBeDefinition: node.previousSibling?.kind == .paragraph,
            allowsBlocks: isTight && link == nil
        )
        if link != nil, leaveLink() { write("</a>") }
        if options.opening, output.opening.isEmpty, parent?.kind == .document, !isTerm,
            caption == nil
        {
            output.opening = OpeningText.of(output.html[start...])
        }
        endParagraph(isTight: isTight, isTerm: isTerm)
    }

    private mutating func findLiteralMarks(in node: Block) {
        let source = tree.source
        guard !options.commonMarkOnly, source.allTraits.contains(.literalMark) else { return }
        for line in node.line...node.endLine where source.traits[line - 1].contains(.literalMark) {
            let isFirst = line == node.line
            let range = source.line(line)
            let start =
                isFirst ? range.lowerBound + node.column - 1 : source.contentStart(range)
            guard let found = LiteralMark(in: source, range, from: start, isFirst: isFirst) else {
                continue
            }
            let place = SourceRange(line: line, column: found.offset + 1)
            find(.literalMark(found.mark, space: found.space), place)
        }
    }

    private mutating func beginParagraph(_ node: Block, isTight: Bool, isTerm: Bool) {
        if isTerm { return beginTerm(node) }
        if isTight { return }
        startLine()
        caption == nil ? write("<p>") : write("<figure>\n")
    }

    private mutating func endParagraph(isTight: Bool, isTerm: Bool) {
        if isTerm { return write("</dt>\n") }
        if isTight { return }
        caption == nil ? write("</p>\n") : endFigure()
    }

    /// `[TOC]`, unless a definition makes a link of it.
    private func wantsContents(_ leaf: LeafText) -> Bool {
        guard leaf.bytes.count < 16 else { return false }
        var text = leaf.bytes[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        switch String(decoding: text, as: UTF8.self) {
        case "[TOC]", "[[TOC]]": return tree.labels[Array("TOC".utf8)[...]] == nil
        case "[[_TOC_]]": return tree.labels[Array("_TOC_".utf8)[...]] == nil
        default: return false
        }
    }
}
