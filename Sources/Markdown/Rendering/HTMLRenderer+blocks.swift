import CommonMark

/// Quotes, lists and paragraphs.
extension HTMLRenderer {
    mutating func visitBlockQuote(_ node: Node, _ entering: Bool) {
        startLine()
        guard entering else {
            endTabs(in: node)
            write(text: authorHTML.elements.leave())
            switch quotes.popLast() {
            case .division: return write("</div>\n")
            case .quotation: return write("</blockquote>\n")
            case nil: return
            }
        }
        // Several quotes may begin on one line; the innermost holds the paragraph.
        let found = leaves.callouts[node.line].flatMap { $0.column == node.column ? $0 : nil }
        quotes.append(found == nil ? .quotation : .division)
        switch found?.callout {
        case .alert(let name):
            write("<div class=\"markdown-alert markdown-alert-")
            write(text: name)
            write("\">\n<p class=\"markdown-alert-title\">")
            if let title = found?.title {
                write(inlinesOf: title)
            } else {
                write(text: options.html(Callout.title(name)))
            }
            write("</p>\n")
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
        if structure.isFootnoteList(node) { return .descend }
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
        if !entering { endTabs(in: node) }
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
            isTight = list.isTight && !structure.isFootnote(parent)
        } else {
            isTight = false
        }
        guard entering, let leaf = leaves.texts[node.line] else {
            if isTight { return .descend }
            if entering { startLine() }
            entering ? write("<p>") : write("</p>\n")
            return .descend
        }
        // The first line of an alert may be the whole paragraph.
        if leaf.bytes.isEmpty { return .skip }
        if node.parent?.kind == .blockQuote, Callout.isUnknown(leaf.bytes) {
            lists.note(.alert, line: node.line, column: node.column)
        }
        if wantsContents(leaf), node.parent?.kind == .document {
            contentsOffsets.append(output.html.count)
            return .skip
        }
        if !isTight {
            startLine()
            write("<p>")
        }
        write(
            inlinesOf: leaf,
            mayBeDefinition: node.previousSibling?.kind == .paragraph,
            allowsBlocks: isTight
        )
        if !isTight { write("</p>\n") }
        return .skip
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
