/// Takes HTML apart (HTML Living Standard, section 13.2.5, "Tokenization").
///
/// Written by hand because in trusted HTML what is not a reference has to stay byte for byte: an
/// HTML parser such as libxml2's writes all of it anew. Harmless HTML is written anew, from these
/// tokens alone.
struct HTMLTokenizer {
    private let html: [UInt8]
    private var position = 0
    /// The element whose content, which is no HTML, comes next.
    private var rawElement: String?

    /// The start tags; comments and the text of scripts and their like are passed over.
    static func startTags(in html: [UInt8]) -> [HTMLTag] {
        var tokenizer = HTMLTokenizer(html)
        var tags: [HTMLTag] = []
        while let token = tokenizer.next() {
            if case .startTag(let tag) = token { tags.append(tag) }
        }
        return tags
    }

    init(_ html: [UInt8]) { self.html = html }

    /// The next token; `nil` at the end.
    ///
    /// A tag that does not end is text: a browser would drop it, and with it what follows.
    mutating func next() -> HTMLToken? {
        let start = position
        if let name = rawElement {
            rawElement = nil
            skipText(of: name)
            if position > start { return .rawText(start..<position) }
        }
        guard start < html.count else { return nil }
        if let token = markup() { return token }
        // Text up to the next '<' that may begin a tag.
        position = max(position, start + 1)
        position = html[position...].firstIndex(of: UInt8(ascii: "<")) ?? html.count
        return .text(start..<position)
    }

    private mutating func markup() -> HTMLToken? {
        let start = position
        guard byte(start) == UInt8(ascii: "<"), let first = byte(start + 1) else { return nil }
        position = start + 1
        if first == UInt8(ascii: "!") || first == UInt8(ascii: "?") {
            let isClosed = skipComment()
            return .comment(start..<position, isClosed: isClosed)
        }
        if first == UInt8(ascii: "/") {
            position += 1
            guard let next = current else { return nil }
            guard next.isLetter else {
                // '</>' and '</3>' are comments to a browser.
                let isClosed = skip(past: UInt8(ascii: ">"))
                return .comment(start..<position, isClosed: isClosed)
            }
            guard let tag = tag() else { return nil }
            return .endTag(name: tag.name, range: start..<position)
        }
        guard first.isLetter, var tag = tag() else { return nil }
        tag.range = start..<position
        if Self.rawTextElements.contains(tag.name) { rawElement = tag.name }
        return .startTag(tag)
    }

    private var current: UInt8? { byte(position) }

    private func byte(_ index: Int) -> UInt8? { index < html.count ? html[index] : nil }

    /// Elements whose content is text to a browser that runs scripts.
    private static let rawTextElements: Set<String> = [
        "script", "style", "xmp", "iframe", "noembed", "noframes", "noscript", "textarea", "title",
        "plaintext",
    ]

    private mutating func skipText(of name: String) {
        let end = Array("</\(name)".utf8)
        var index = position
        while index + end.count <= html.count {
            if html[index] == end[0], zip(html[index...], end).allSatisfy({ Self.lower($0) == $1 })
            {
                let next = byte(index + end.count)
                if next.map({ Self.isSpace($0) || "/>".utf8.contains($0) }) ?? true { break }
            }
            index += 1
        }
        position = index + end.count <= html.count ? index : html.count
    }

    /// - Returns: whether the mark is there.
    private mutating func skip(past mark: UInt8) -> Bool {
        let end = html[position...].firstIndex(of: mark)
        position = end.map { $0 + 1 } ?? html.count
        return end != nil
    }

    /// A comment, or what browsers take for one.
    private mutating func skipComment() -> Bool {
        let end = UInt8(ascii: ">")
        guard html[position...].starts(with: "!--".utf8) else { return skip(past: end) }
        position += 3
        if html[position...].starts(with: ">".utf8) || html[position...].starts(with: "->".utf8) {
            return skip(past: end)
        }
        while let hyphen = html[position...].firstIndex(of: UInt8(ascii: "-")) {
            position = hyphen + 1
            let rest = html[hyphen...]
            if rest.starts(with: "-->".utf8) || rest.starts(with: "--!>".utf8) {
                return skip(past: end)
            }
        }
        position = html.count
        return false
    }

    /// `nil` where it does not end.
    private mutating func tag() -> HTMLTag? {
        let name = word { byte, _ in Self.isSpace(byte) || "/>".utf8.contains(byte) }
        var attributes: [HTMLTag.Attribute] = []
        var names: Set<String> = []
        while let byte = current {
            if byte == UInt8(ascii: ">") {
                position += 1
                return HTMLTag(name: name, attributes: attributes)
            }
            if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                position += 1
                continue
            }
            guard let attribute = attribute() else { break }
            if names.insert(attribute.name).inserted { attributes.append(attribute) }
        }
        position = html.count
        return nil
    }

    private mutating func attribute() -> HTMLTag.Attribute? {
        let start = position
        // An equals sign at the start is part of the name.
        let name = word { byte, index in
            Self.isSpace(byte) || "/>".utf8.contains(byte)
                || (byte == UInt8(ascii: "=") && index > start)
        }
        let afterName = position
        skipSpaces()
        guard current == UInt8(ascii: "=") else {
            return .init(name: name, value: "", start: start, valueRange: afterName..<afterName)
        }
        position += 1
        skipSpaces()
        guard let quote = current else { return nil }
        let valueStart = position
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let end = html[(position + 1)...].firstIndex(of: quote) else { return nil }
            position = end + 1
            let value = HTMLAttributeText.decoded(html[valueStart + 1..<end])
            return .init(name: name, value: value, start: start, valueRange: valueStart..<position)
        }
        while let byte = current, !Self.isSpace(byte), byte != UInt8(ascii: ">") { position += 1 }
        let value = HTMLAttributeText.decoded(html[valueStart..<position])
        return .init(name: name, value: value, start: start, valueRange: valueStart..<position)
    }

    private mutating func word(until ends: (UInt8, Int) -> Bool) -> String {
        let start = position
        while let byte = current, !ends(byte, position) { position += 1 }
        return String(decoding: html[start..<position].map(Self.lower), as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == .space || byte == .tab || byte.isLineEnd || byte == 12
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }
}
