import Bytes
import HTML

/// HTML in Markdown.
extension HTMLRenderer {
    /// The line and the column of a byte of the HTML.
    typealias Places = (Int) -> (line: Int, column: Int)

    mutating func write(htmlBlock block: Block) {
        let text = block.text
        // The code of a page of VitePress.
        if options.borrowedBlocks, text.bytes.starts(with: "<script setup".utf8),
            text.bytes[...].trimmed(where: \.isWhitespace).suffix(9).elementsEqual("</script>".utf8)
        {
            return lists.note(.module, line: block.line, column: block.column)
        }
        beginHTML()
        write(text: authorHTML.elements.closeDeferred())
        let wantsParagraph = options.takesHTMLApart && authorHTML.elements.wantsParagraph
        let start = output.html.count
        findMarkdown(in: block)
        var html = text.bytes + [.newline]
        if options.borrowedBlocks { html = ScriptExpressions.filled(html) ?? html }
        authorHTML.source = html
        if options.borrowedBlocks, options.rawHTML == .safe, let table = GitBookTable(html) {
            write(html: table.html, block.range) { text.location(at: table.source(of: $0)) }
        } else {
            write(html: html, block.range, text.location)
        }
        authorHTML.gap = nil
        if wantsParagraph, !authorHTML.wroteTag { wrapWords(from: start) }
    }

    /// Before a block of HTML, or before a text that may hold some.
    mutating func beginHTML() {
        authorHTML.gap = nil
        endPlayer()
        mention = nil
        authorHTML.whole = nil
        authorHTML.wroteTag = false
        if !authorHTML.told.isEmpty { authorHTML.told = [] }
        if authorHTML.componentEnds != nil { authorHTML.componentEnds = nil }
        if !authorHTML.placeholders.isEmpty { authorHTML.placeholders = [:] }
    }

    /// At the end of the document.
    mutating func endHTML() {
        endPlayer()
        let end = authorHTML.elements.leave()
        if end.isEmpty { return }
        write(text: end)
        startLine()
    }

    /// - Parameter location: the line and the column of a byte of the HTML.
    mutating func write(html: [UInt8], _ sourceRange: SourceRange, _ location: Places) {
        if !options.commonMarkOnly, !options.takesHTMLApart,
            HTMLTagScanner.isComponent(String(decoding: html, as: UTF8.self))
        {
            lists.note(.component, line: sourceRange.line, column: sourceRange.column)
        }
        switch options.rawHTML {
        case .verbatim: output.html += html
        case .trusted: write(references: html, location)
        case .safe, .omitted: write(tokensOf: html, location)
        }
    }

    /// Makes a paragraph of the text of a block whose tags were all left out.
    private mutating func wrapWords(from start: Int) {
        while output.html.count > start, output.html.last?.isWhitespace == true {
            output.html.removeLast()
        }
        guard let first = output.html[start...].firstIndex(where: { !$0.isWhitespace }) else {
            return
        }
        output.html.replaceSubrange(start..<first, with: "<p>".utf8)
        write("</p>\n")
    }

    private mutating func write(references html: [UInt8], _ location: Places) {
        var written = 0
        for tag in HTMLTokenizer.startTags(in: html) {
            lists.anchors += tag.anchors
            let source = tag.attributes.first { $0.name == "src" }?.value ?? ""
            if KnownElement.isBlocked(tag.name), !source.hasPrefix("/_theme/") {
                find(.blocked, tag.name, at: location(tag.range.lowerBound))
            }
            for attribute in tag.attributes {
                guard let pieces = HTMLReference.pieces(tag.name, attribute) else { continue }
                let range = attribute.valueRange
                output.html += html[written..<range.lowerBound]
                write(pieces, attribute, location)
                written = range.upperBound
            }
        }
        output.html += html[written...]
    }

    /// The value of an attribute, with placeholders for its addresses.
    mutating func write(
        _ pieces: [HTMLReference.Piece],
        _ attribute: HTMLTag.Attribute,
        _ location: Places
    ) {
        let (line, column) = location(attribute.start)
        let end = location(attribute.valueRange.upperBound - 1)
        let length = end.line == line ? end.column - column + 1 : nil
        write("\"")
        for piece in pieces {
            switch piece {
            case .text(let text): write(text: HTMLText.escape(text))
            case .address(let url, let kind):
                let range = SourceRange(line: line, column: column, length: length)
                placeholder(.init(kind), url, range)
            }
        }
        write("\"")
    }
}

extension RenderedDocument.Reference.Kind {
    fileprivate init(_ kind: HTMLReference.Kind) {
        switch kind {
        case .link: self = .htmlLink
        case .source: self = .htmlSource
        case .document: self = .htmlDocument
        }
    }
}

extension MarkdownOptions {
    /// Whether only known elements of HTML are written.
    var takesHTMLApart: Bool { rawHTML == .safe || rawHTML == .omitted }
}
