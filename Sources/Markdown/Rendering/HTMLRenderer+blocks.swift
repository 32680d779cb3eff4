import CommonMark

/// Quotes, lists and paragraphs.
extension HTMLRenderer {
    mutating func visitBlockQuote(_ node: Node, _ entering: Bool) {
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
        // Several quotes may begin on one line; the innermost holds the paragraph.
        let found = leaves.callouts[node.line].flatMap { $0.column == node.column ? $0 : nil }
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

    mutating func visitList(_ node: Node, _ entering: Bool) -> Document.Step {
        // Footnotes are lists in libcmark's tree.
        if structure.isFootnoteList(node) || visit(borrowedList: node, entering) {
            return .descend
        }
        guard entering else {
            node.isOrdered ? write("</ol>\n") : write("</ul>\n")
            return .descend
        }
        startLine()
        if !node.isOrdered {
            write("<ul>\n")
        } else if node.listStart == 1 {
            write("<ol>\n")
        } else {
            write("<ol start=\"")
            write(text: String(node.listStart))
            write("\">\n")
        }
        return .descend
    }

    mutating func visitItem(_ node: Node, _ entering: Bool) {
        if let block = structure.borrowedBlock(node) { return visit(block, item: node, entering) }
        if !entering { endBlocks(in: node) }
        if structure.isFootnote(node) {
            entering ? beginFootnote(node.line) : endFootnote()
            return
        }
        guard entering else {
            write(text: authorHTML.elements.leave())
            return write("</li>\n")
        }
        startLine()
        if !leaves.tasks.isEmpty, let (column, task) = leaves.tasks[node.line],
            column == node.column
        {
            write(taskDone: task == .done)
        } else {
            write("<li>")
        }
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

    mutating func visitParagraph(_ node: Node, _ entering: Bool) -> Document.Step {
        // In a tight list an item's paragraphs are its text.
        let isTight: Bool
        if let parent = node.parent, let list = parent.parent, list.kind == .list {
            isTight =
                list.isTight && !structure.isFootnote(parent) && !isBorrowed(parent)
                && blocks.innermost(in: parent) == nil
        } else {
            isTight = false
        }
        let isTerm = structure.hasBorrowedBlocks && isTerm(node)
        if entering { findLiteralMarks(in: node) }
        if entering, !isTight, !isTerm { findCaption(of: leaves.texts[node.line], node) }
        guard entering, let leaf = leaves.texts[node.line] else {
            entering
                ? beginParagraph(node, isTight: isTight, isTerm: isTerm)
                : endParagraph(isTight: isTight, isTerm: isTerm)
            return .descend
        }
        // The first line of an alert may be the whole paragraph.
        if leaf.bytes.isEmpty {
            if isTerm { beginDefinitions(of: node) }
            return .skip
        }
        if node.parent?.kind == .blockQuote, Callout.isUnknown(leaf.bytes) {
            lists.note(.alert, line: node.line, column: node.column)
        }
        if wantsContents(leaf), node.parent?.kind == .document {
            contentsOffsets.append(output.html.count)
            if isTerm { beginDefinitions(of: node) }
            return .skip
        }
        beginParagraph(node, isTight: isTight, isTerm: isTerm)
        write(
            inlinesOf: leaf,
            mayBeDefinition: node.previousSibling?.kind == .paragraph,
            allowsBlocks: isTight
        )
        endParagraph(isTight: isTight, isTerm: isTerm)
        return .skip
    }

    private mutating func findLiteralMarks(in node: Node) {
        let source = structure.source
        let lines = node.line...max(node.line, min(node.endLine, source.lines.count))
        guard !options.commonMarkOnly, source.allTraits.contains(.literalMark) else { return }
        for line in lines where source.traits[line - 1].contains(.literalMark) {
            let isFirst = line == node.line
            guard let found = LiteralMark(in: source.bytes, source.line(line), isFirst: isFirst)
            else { continue }
            let place = SourceRange(line: line, column: found.offset + 1)
            find(.literalMark(found.mark, space: found.space), place)
        }
    }

    private mutating func beginParagraph(_ node: Node, isTight: Bool, isTerm: Bool) {
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
        case "[TOC]", "[[TOC]]": return inlines.context.labels[Array("TOC".utf8)[...]] == nil
        case "[[_TOC_]]": return inlines.context.labels[Array("_TOC_".utf8)[...]] == nil
        default: return false
        }
    }
}
