import HTML

/// Footnotes: numbered in the order of their references, and listed after the document, as on GitHub.
extension HTMLRenderer {
    mutating func visitFootnote(_ block: Block, _ entering: Bool) {
        if entering { return beginNote() }
        endBlocks(in: block)
        guard let content = endNote(), case .footnote(let label) = block.details else { return }
        let end = Array("</p>\n".utf8)
        let endsWithParagraph =
            content.html.count >= end.count && content.html.suffix(end.count) == end[...]
        let offset = content.html.count - (endsWithParagraph ? end.count : 0)
        footnotes.define(label, content, backReferenceAt: offset)
    }

    private mutating func beginNote() {
        outerOutputs.append(output)
        output = RenderedDocument()
        authorHTML.elements.enter(allowsBlocks: true)
    }

    private mutating func endNote() -> RenderedDocument? {
        write(text: authorHTML.elements.leave())
        guard let outer = outerOutputs.popLast() else { return nil }
        defer { output = outer }
        return output
    }

    /// Visits the footnote `^[text]`.
    mutating func visitInlineNote(_ entering: Bool) {
        if entering {
            beginNote()
            write("<p>")
            return authorHTML.elements.enter(allowsBlocks: false)
        }
        write(text: authorHTML.elements.leave())
        let end = output.html.count
        write("</p>\n")
        guard let content = endNote() else { return }
        writeFootnoteReference(Array(footnotes.add(content, backReferenceAt: end).utf8))
    }

    mutating func writeFootnoteReference(_ text: [UInt8]) {
        let label = String(decoding: text, as: UTF8.self)
        guard let note = footnotes.refer(to: label) else {
            return escape(Array("[^\(label)]".utf8))
        }
        let name = HTMLText.escapeURL(note.label)
        let suffix = note.references > 1 ? "-\(note.references)" : ""
        let reference = ids.unique("fnref-\(name)\(suffix)")
        let id = note.id.isEmpty ? ids.unique("fn-\(name)") : note.id
        footnotes.name(note.label, id: id, reference: reference)
        guard let end = enterAnchor() else {
            write(text: "<sup class=\"footnote-ref\" id=\"\(reference)\">\(note.number)</sup>")
            return write(text: authorHTML.elements.leave())
        }
        write(text: "\(end)<sup class=\"footnote-ref\"><a href=\"#\(id)\" id=\"\(reference)\"")
        write(text: " data-footnote-ref>\(note.number)</a></sup>")
        write(text: authorHTML.elements.leave())
    }

    mutating func writeFootnotes() {
        let notes = footnotes.used
        if notes.isEmpty { return }
        startLine()
        write("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
        for note in notes {
            write(text: "<li id=\"\(note.id)\">\n")
            var content = note.content
            let back = backReferences(note)
            if note.backReferenceOffset < content.html.count {
                content.insert(Array(" \(back)".utf8), at: note.backReferenceOffset)
            } else {
                content.insert(Array("\(back)\n".utf8), at: content.html.count)
            }
            output.append(content)
            write("</li>\n")
        }
        write("</ol>\n</section>\n")
    }

    private func backReferences(_ note: Footnotes.Note) -> String {
        let label = options.html(MarkdownOptions.backReference)
            .split(separator: "{{number}}", omittingEmptySubsequences: false)
        return footnotes.referenceIDs(of: note).enumerated().map { index, id in
            let number = index > 0 ? "\(note.number)-\(index + 1)" : "\(note.number)"
            let mark = index > 0 ? "<sup class=\"footnote-ref\">\(index + 1)</sup>" : ""
            return "<a href=\"#\(id)\" class=\"footnote-backref\""
                + " data-footnote-backref data-footnote-backref-idx=\"\(number)\""
                + " aria-label=\"\(label.joined(separator: number))\">↩\(mark)</a>"
        }.joined(separator: " ")
    }
}
