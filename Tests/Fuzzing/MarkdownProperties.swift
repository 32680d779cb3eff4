import HTML

@testable import Markdown

/// What holds for all HTML that is made of Markdown without `raw_html = true`, however hostile the
/// author is.
struct MarkdownProperties {
    private static let elements: Set<String> = [
        "a", "abbr", "blockquote", "br", "code", "dd", "del", "details", "div", "dl", "dt", "em",
        "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "input", "kbd",
        "li", "mark", "nav", "ol", "p", "pre", "section", "span", "strong", "sub", "summary", "sup",
        "table", "tbody", "td", "th", "thead", "tr", "ul", "button", "label",
    ]
    private static let void: Set<String> = ["br", "wbr", "hr", "img", "source", "col", "input"]
    private static let attributes: Set<String> = [
        "abbr", "align", "alt", "aria-hidden", "aria-label", "aria-labelledby", "aria-describedby",
        "checked", "class", "colspan", "data-footnote-backref", "data-footnote-backref-idx",
        "data-footnote-ref", "data-footnotes", "data-language", "datetime", "dir", "disabled",
        "height", "href", "id", "lang", "loading", "media", "open", "reversed", "role", "rowspan",
        "scope", "sizes", "span", "src", "srcset", "start", "tabindex", "title", "type", "valign",
        "value", "width",
    ]
    private static let addresses: Set<String> = ["href", "src"]
    /// What a browser takes out of a paragraph.
    private static let blocks: Set<String> = [
        "blockquote", "center", "details", "div", "dd", "dl", "dt", "figcaption", "figure", "h1",
        "h2", "h3", "h4", "h5", "h6", "hr", "li", "nav", "ol", "p", "pre", "section", "summary",
        "table", "ul",
    ]
    private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
    private static let parents: [String: Set<String>] = [
        "tr": ["table", "tbody", "thead", "tfoot"], "td": ["tr"], "th": ["tr"],
        "tbody": ["table"], "thead": ["table"], "tfoot": ["table"], "caption": ["table"],
        "colgroup": ["table"], "col": ["colgroup"], "source": ["picture"],
    ]
    private static let tableParts: Set<String> = [
        "table", "tbody", "thead", "tfoot", "tr", "colgroup",
    ]

    private let html: [UInt8]
    private var open: [String] = []
    private var ids: Set<String> = []

    static func check(_ html: [UInt8]) {
        var properties = MarkdownProperties(html: html)
        properties.check()
    }

    private init(html: [UInt8]) { self.html = html }

    private var text: String { String(decoding: html, as: UTF8.self) }

    private mutating func check() {
        expect(String(validating: html, as: UTF8.self) != nil, "the HTML is UTF-8")
        var tokenizer = HTMLTokenizer(html)
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let tag): check(tag)
            case .endTag(let name, _):
                expect(open.last == name, "'</\(name)>' closes '\(open.last ?? "")': \(text)")
                open.removeLast()
            case .text(let range):
                let isEscaped = !html[range].contains(UInt8(ascii: "<"))
                expect(isEscaped, "'<' is escaped: \(text)")
                let isSpace = html[range].allSatisfy { [9, 10, 12, 13, 32].contains($0) }
                let isInTable = Self.tableParts.contains(open.last ?? "")
                expect(isSpace || !isInTable, "text in a table is in a cell: \(text)")
            case .rawText: expect(false, "no element holds raw text: \(text)")
            case .comment: expect(false, "there are no comments: \(text)")
            }
        }
        expect(open.isEmpty, "'<\(open.last ?? "")>' is closed: \(text)")
    }

    private mutating func check(_ tag: HTMLTag) {
        let name = tag.name
        let isKnown = Self.elements.contains(name) || SafeElement(name) != nil
        expect(isKnown, "'\(name)' is allowed: \(text)")
        for attribute in tag.attributes {
            let name = attribute.name
            expect(Self.attributes.contains(name), "'\(name)' is allowed: \(text)")
            if Self.addresses.contains(name) {
                expect(Self.isHarmless(attribute.value), "'\(attribute.value)' runs: \(text)")
            }
            if name == "srcset" {
                for part in attribute.value.split(separator: ",") {
                    expect(Self.isHarmless(String(part)), "'\(part)' runs: \(text)")
                }
            }
            if name == "id" {
                expect(ids.insert(attribute.value).inserted, "one '\(attribute.value)': \(text)")
            }
        }
        if name == "a" { expect(!open.contains("a"), "no link in a link: \(text)") }
        if Self.blocks.contains(name) {
            let cell = open.lastIndex { ["td", "th", "caption"].contains($0) } ?? -1
            expect(!open[(cell + 1)...].contains("p"), "no '\(name)' in a paragraph: \(text)")
        }
        if Self.headings.contains(name) {
            expect(!Self.headings.contains(open.last ?? ""), "no heading in a heading: \(text)")
        }
        if let parents = Self.parents[name] {
            expect(parents.contains(open.last ?? ""), "'\(name)' in its place: \(text)")
        } else {
            let isInTable = Self.tableParts.contains(open.last ?? "")
            expect(!isInTable, "'\(name)' in a table is in a cell: \(text)")
        }
        if !Self.void.contains(name) { open.append(name) }
    }

    /// Whether an address runs nothing, as browsers read it (URL Standard, section 4.4).
    private static func isHarmless(_ address: String) -> Bool {
        let start = address.utf8.drop { $0 <= 32 }.filter { ![9, 10, 13].contains($0) }.prefix(64)
        let text = String(decoding: Array(start), as: UTF8.self).lowercased()
        if ["data:image/png", "data:image/gif", "data:image/jpeg", "data:image/webp"]
            .contains(where: text.hasPrefix)
        {
            return true
        }
        return !["javascript:", "vbscript:", "data:", "file:"].contains(where: text.hasPrefix)
    }
}
