import Bytes
import HTML

/// What authors of other tools write in HTML.
extension HTMLRenderer {
    /// Whether a tag without attributes, `<Badge>`, has an end: else it may be words.
    mutating func isBeginning(ofComponent tag: HTMLTag, _ source: ArraySlice<UInt8>) -> Bool {
        guard tag.attributes.isEmpty, Self.isComponentName(source.dropFirst()),
            !KnownElement.isKnown(tag.name)
        else { return false }
        let ends =
            authorHTML.componentEnds
            ?? Set(
                authorHTML.source.split(separator: UInt8(ascii: "<")).filter {
                    $0.first == UInt8(ascii: "/") && Self.isComponentName($0.dropFirst())
                }.map {
                    let name = $0.dropFirst().prefix(while: \.isLetterOrDigit)
                    return String(decoding: name, as: UTF8.self).lowercased()
                }
            )
        authorHTML.componentEnds = ends
        return ends.contains(tag.name)
    }

    private static func isComponentName(_ text: ArraySlice<UInt8>) -> Bool {
        let name = text.prefix(while: \.isLetterOrDigit)
        return (65...90).contains(name.first ?? 0) && name.contains { (97...122).contains($0) }
    }

    /// Tells of Markdown that stays text, because no empty line stands between it and HTML, and of
    /// tags of other tools.
    mutating func findMarkdown(in block: Block) {
        let html = block.text
        let mayHold = Self.marks.contains { html.bytes.span.position(of: $0.mark) != nil }
        guard !options.commonMarkOnly, options.rawHTML != .verbatim, mayHold || html.mayBeForeign
        else { return }
        var tokenizer = HTMLTokenizer(html.bytes)
        var isTold = false
        var code = 0
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let tag): if Self.literal.contains(tag.name) { code += 1 }
            case .endTag(let name, _): if Self.literal.contains(name) { code -= 1 }
            case .text(let range) where code <= 0 && (html.mayBeForeign || !isTold):
                let found = findMarkdown(in: html, range)
                guard let (mark, place) = found, !isTold else { break }
                find(.markInHTML(mark), place)
                isTold = true
            default: break
            }
        }
    }

    private static let literal: Set<String> = ["code", "kbd", "math", "pre", "samp", "svg", "tt"]

    /// Marks, and what they make of a text: `__init__` and a single item may be text.
    private static let marks: [(mark: StaticString, html: StaticString)] = [
        ("**", "<strong>"), ("](", "<a href"), ("](", "<img "), ("```", "<pre>"), ("~~~", "<pre>"),
        ("##", "<h"), ("|-", "<table"), ("| -", "<table"), ("\n- ", "</li>\n<li>"),
        ("\n* ", "</li>\n<li>"),
    ]

    private static let tags: Set<ForeignConstruct> = [
        .shortcode, .templateTag, .container, .embed, .snippet,
    ]

    /// What a text between tags would be as Markdown.
    private mutating func findMarkdown(
        in html: LeafText,
        _ range: Range<Int>
    ) -> (mark: String, place: SourceRange)? {
        let source = SourceText(Array(html.bytes[range]))
        var options = options
        options.rawHTML = .verbatim
        guard let document = try? RenderedDocument(source.bytes, options) else { return nil }
        func place(_ offset: Int) -> SourceRange {
            let (line, column) = html.location(at: range.lowerBound + offset)
            return SourceRange(line: line, column: column)
        }
        for use in document.foreignUses where Self.tags.contains(use.construct) {
            for found in use.occurrences {
                let found = place(source.line(found.line).lowerBound + found.column - 1)
                lists.note(use.construct, line: found.line, column: found.column)
            }
        }
        for (mark, made) in Self.marks where document.html.span.position(of: made) != nil {
            guard let offset = source.bytes.span.position(of: mark) else { continue }
            let words = String(describing: mark).filter { $0 != "\n" && $0 != " " }
            return (words == "](" ? "[…](…)" : words, place(offset + (words.count < 2 ? 1 : 0)))
        }
        return nil
    }
}
