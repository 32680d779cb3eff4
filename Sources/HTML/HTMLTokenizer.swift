/// The tokens of HTML, as a browser reads them.
///
/// Written by hand because in trusted HTML everything but the references has to stay byte for byte:
/// an HTML parser such as libxml2's writes all of it anew. Harmless HTML is written anew, from these
/// tokens alone. `HTMLTagScanner` has another grammar: CommonMark's, in which text that is no
/// well-formed tag is text.
///
/// The importer reads XML with it, too. Entities that a document defines stay text, so that none is
/// expanded and none is fetched.
public struct HTMLTokenizer {
    private let html: [UInt8]
    /// Whether no element has a content of its own grammar, and `<![CDATA[` begins text.
    private let isXML: Bool
    private var position = 0
    /// The name of the element whose content, which is no HTML, comes next.
    private var rawElement: Range<Int>?

    /// The start tags outside comments, scripts and the like.
    package static func startTags(in html: [UInt8]) -> [HTMLTag] {
        var tokenizer = HTMLTokenizer(html)
        var tags: [HTMLTag] = []
        while let token = tokenizer.next() {
            if case .startTag(let tag) = token { tags.append(tag) }
        }
        return tags
    }

    public init(_ html: [UInt8], isXML: Bool = false) {
        self.html = html
        self.isXML = isXML
    }

    /// A text with its character references resolved.
    public static func decoded(_ text: ArraySlice<UInt8>) -> String {
        CharacterReference.resolved(text, escapes: false)
    }

    /// The next token; `nil` at the end.
    ///
    /// A tag that does not end is text: a browser would drop it, and with it what follows.
    public mutating func next() -> HTMLToken? {
        let html = html
        let start = position
        if let name = rawElement {
            rawElement = nil
            position = HTMLMarkup.endOfRawText(html.span, from: start, of: name)
            if position > start { return .rawText(start..<position) }
        }
        guard start < html.count else { return nil }
        position = start + 1
        if html[start] == UInt8(ascii: "<") {
            if isXML, html[start...].starts(with: Self.characterData) {
                let content = start + Self.characterData.count
                let end = HTMLMarkup.endOfCharacterData(html.span, from: content)
                position = min(end + 3, html.count)
                return .rawText(content..<end)
            }
            if let (end, isClosed) = HTMLMarkup.endOfComment(html.span, at: start) {
                position = end
                return .comment(start..<end, isClosed: isClosed)
            }
            if HTMLMarkup.isTag(html.span, at: start) {
                if let token = tag(at: start) { return token }
                position = html.count
            }
        }
        // Text up to the next '<' that may begin a tag.
        position = html[position...].firstIndex(of: UInt8(ascii: "<")) ?? html.count
        return .text(start..<position)
    }

    /// Elements whose content is text to a browser that runs scripts.
    package static let rawTextElements: Set<String> = [
        "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title",
        "plaintext",
    ]

    private static let characterData = Array("<![CDATA[".utf8)

    /// `nil` where it does not end.
    private mutating func tag(at start: Int) -> HTMLToken? {
        let html = html
        var attributes: [HTMLTag.Attribute] = []
        var names: Set<String> = []
        let tag = HTMLMarkup.tag(html.span, at: start) { attribute in
            let name = Self.name(html[attribute.name])
            guard names.insert(name).inserted else { return }
            let value = html[attribute.value]
            let text = attribute.isQuoted ? value.dropFirst().dropLast() : value
            attributes.append(
                .init(
                    name: name,
                    value: HTMLAttributeText.decoded(text),
                    start: attribute.name.lowerBound,
                    valueRange: attribute.value
                )
            )
        }
        guard let tag else { return nil }
        position = tag.end
        let name = Self.name(html[tag.name])
        if html[start + 1] == UInt8(ascii: "/") {
            return .endTag(name: name, range: start..<tag.end)
        }
        if !isXML, Self.rawTextElements.contains(name) { rawElement = tag.name }
        return .startTag(HTMLTag(name: name, attributes: attributes, range: start..<tag.end))
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(HTMLMarkup.lower), as: UTF8.self)
    }
}
