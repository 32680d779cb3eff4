import HTML

/// Reads HTML and XML into trees, element by element.
///
/// The depth of a tree is bounded: whatever goes over trees afterwards calls itself. An element
/// that is too deep is left out, its content stays.
package struct MarkupReader {
    private static let maximumDepth = 60

    private let bytes: [UInt8]
    private let isXML: Bool
    private var tokens: HTMLTokenizer
    private var isLeftOut: (Markup) -> Bool = { _ in false }
    private var rewrite: (Markup) -> Markup = { $0 }

    package init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = bytes
        self.isXML = isXML
        tokens = HTMLTokenizer(bytes, isXML: isXML)
    }

    /// - Parameters:
    ///   - isLeftOut: whether an element, still without its content, is left out with it.
    ///   - rewrite: gets each element with its content, and returns what stands in its place.
    package static func tree(
        _ bytes: [UInt8],
        isXML: Bool,
        isLeftOut: @escaping (Markup) -> Bool = { _ in false },
        rewrite: @escaping (Markup) -> Markup = { $0 }
    ) -> Markup {
        var reader = MarkupReader(bytes, isXML: isXML)
        (reader.isLeftOut, reader.rewrite) = (isLeftOut, rewrite)
        return reader.rest(of: .element("document"))
    }

    /// The next element of that name with its content, wherever it begins; `nil` at the end.
    package mutating func next(_ name: String) -> Markup? {
        while let token = tokens.next() {
            guard case .startTag(let tag) = token, tag.name == name else { continue }
            return isEmpty(tag) ? Self.element(tag) : rest(of: Self.element(tag))
        }
        return nil
    }

    /// Reads up to the end tag of an element, or to the end.
    private mutating func rest(of root: Markup) -> Markup {
        var open = [root]
        // Open elements that are left out.
        var tooDeep = 0
        func close() {
            let last = rewrite(open.removeLast())
            open[open.count - 1].children.append(last)
        }
        while let token = tokens.next() {
            switch token {
            case .startTag(let tag):
                let element = Self.element(tag)
                if isLeftOut(element) {
                    skip(tag)
                    continue
                }
                if !isXML { while open.count > 1, Self.ends(open, before: tag.name) { close() } }
                if isEmpty(tag) {
                    open[open.count - 1].children.append(rewrite(element))
                } else if open.count < Self.maximumDepth {
                    open.append(element)
                } else {
                    tooDeep += 1
                }
            case .endTag(let name, _):
                if tooDeep > 0 {
                    tooDeep -= 1
                    continue
                }
                guard let index = open.lastIndex(where: { $0.name == name }) else { continue }
                while open.count > index + 1 { close() }
                if index == 0 { return open[0] }
                close()
            case .text(let range):
                let text = HTMLTokenizer.decoded(bytes[range])
                open[open.count - 1].children.append(.text(text))
            case .rawText(let range):
                let text = String(decoding: bytes[range], as: UTF8.self)
                open[open.count - 1].children.append(.text(text))
            case .comment: continue
            }
        }
        while open.count > 1 { close() }
        return open[0]
    }

    private mutating func skip(_ tag: HTMLTag) {
        var depth = isEmpty(tag) ? 0 : 1
        while depth > 0, let token = tokens.next() {
            switch token {
            case .startTag(let inner) where inner.name == tag.name: depth += 1
            case .endTag(tag.name, _): depth -= 1
            default: continue
            }
        }
    }

    private static func element(_ tag: HTMLTag) -> Markup {
        var attributes: [String: String] = [:]
        for attribute in tag.attributes { attributes[attribute.name] = attribute.value }
        return .element(tag.name, attributes)
    }

    private func isEmpty(_ tag: HTMLTag) -> Bool {
        if Self.emptyElements.contains(tag.name) { return true }
        return isXML && bytes[tag.range.upperBound - 2] == UInt8(ascii: "/")
    }

    private static let emptyElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source",
        "track", "wbr",
    ]

    /// Whether an element that may lack its end tag ends where another one begins (HTML Living
    /// Standard, section 13.1.2.4).
    private static func ends(_ open: [Markup], before name: String) -> Bool {
        guard let last = open.last?.name else { return false }
        switch last {
        case "p": return blocks.contains(name)
        case "li", "option": return name == last
        case "dt", "dd": return name == "dt" || name == "dd"
        case "td", "th": return ["td", "th", "tr", "tbody", "tfoot"].contains(name)
        case "tr": return ["tr", "tbody", "tfoot"].contains(name)
        case "thead", "tbody": return ["tbody", "tfoot"].contains(name)
        default: return false
        }
    }

    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figure",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol",
        "p", "pre", "section", "table", "ul",
    ]
}
