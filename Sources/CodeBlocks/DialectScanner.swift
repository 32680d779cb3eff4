import Bytes

/// Takes words, quoted texts and attributes off a line.
package struct DialectScanner {
    private let text: ArraySlice<UInt8>
    package private(set) var position: Int

    package init(_ text: ArraySlice<UInt8>) {
        self.text = text.trimmed(where: \.isSpaceOrTab)
        position = self.text.startIndex
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// What is left, without the spaces around it.
    package var rest: ArraySlice<UInt8> { text[position...].drop(while: \.isSpaceOrTab) }

    /// A word up to a space or to one of some signs.
    package mutating func word(until ends: String = "") -> ArraySlice<UInt8> {
        let word = rest.prefix { !$0.isSpaceOrTab && !ends.utf8.contains($0) }
        position = word.endIndex
        return word
    }

    /// Quotation marks, and those that end a text that begins with them.
    ///
    /// Word processors and keyboards of telephones make typographic ones of straight ones.
    private static let quotes = [
        ("\"", ["\""]), ("'", ["'"]), ("“", ["”", "“", "\""]), ("”", ["”"]), ("„", ["“", "”"]),
        ("‘", ["’", "‘", "'"]), ("’", ["’"]), ("‚", ["‘", "’"]), ("«", ["»"]), ("»", ["«"]),
    ].map { (open: Array($0.0.utf8), closes: $0.1.map { Array($0.utf8) }) }

    /// An expression of JavaScript, with its braces.
    package mutating func braced() -> ArraySlice<UInt8>? {
        guard rest.first == UInt8(ascii: "{") else { return nil }
        var depth = 0
        for index in rest.indices {
            if text[index] == UInt8(ascii: "{") { depth += 1 }
            if text[index] == UInt8(ascii: "}") { depth -= 1 }
            guard depth == 0 else { continue }
            let expression = rest[...index]
            position = index + 1
            return expression
        }
        return nil
    }

    /// A text in quotation marks, without them.
    package mutating func quoted() -> ArraySlice<UInt8>? {
        let rest = rest
        guard let (open, closes) = Self.quotes.first(where: { rest.starts(with: $0.open) }) else {
            return nil
        }
        for end in rest.dropFirst(open.count).indices {
            guard let close = closes.first(where: { rest[end...].starts(with: $0) }) else {
                continue
            }
            position = end + close.count
            return rest[(rest.startIndex + open.count)..<end]
        }
        return nil
    }

    /// The title that the rest of a line is: in quotation marks, in `{title="…"}`, or as it stands.
    ///
    /// - Parameter classes: whether classes may stand before it, as in MkDocs.
    package func title(behindClasses classes: Bool) -> ArraySlice<UInt8>? {
        var scanner = self
        while !scanner.isAtEnd {
            if let title = scanner.quoted() {
                if scanner.isAtEnd { return title }
                break
            }
            let word = scanner.word()
            let isClass = word.allSatisfy { !(65...90).contains($0) && Self.isNamePart($0) }
            guard classes, isClass else { break }
        }
        var rest = rest
        let layout = ["inline", "end", "annotate"]
        while classes, let word = layout.first(where: { rest.starts(with: $0.utf8) }),
            rest.dropFirst(word.utf8.count).first?.isSpaceOrTab ?? true
        {
            rest = rest.dropFirst(word.utf8.count).drop(while: \.isSpaceOrTab)
        }
        if rest.isEmpty { return nil }
        let isInBraces = rest.first == UInt8(ascii: "{") && rest.last == UInt8(ascii: "}")
        guard isInBraces else { return BlockAttributes(rest)?.title ?? rest }
        guard let attributes = BlockAttributes(rest.dropFirst().dropLast()) else { return rest }
        return attributes.title
    }

    package static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

/// `.class #id open title="A"`: the attributes of a block, as Pandoc and its descendants write them.
package struct BlockAttributes {
    package var classes: [ArraySlice<UInt8>] = []
    /// Words and quoted texts without a name.
    package private(set) var words: [ArraySlice<UInt8>] = []
    private var values: [String: ArraySlice<UInt8>] = [:]

    /// `nil` where one is none: then the text is text.
    ///
    /// - Parameter allowsWords: whether there may be values without a name, as in a shortcode.
    package init?(_ text: ArraySlice<UInt8>, allowsWords: Bool = false) {
        var scanner = DialectScanner(text)
        while !scanner.isAtEnd {
            if allowsWords, let words = scanner.quoted() {
                self.words.append(words)
                continue
            }
            let name = scanner.word(until: "=")
            switch name.first {
            case UInt8(ascii: "."): classes.append(name.dropFirst())
            case UInt8(ascii: "#"): continue
            case let first where first?.isLetter == true:
                let key = String(decoding: name, as: UTF8.self)
                if scanner.rest.first == UInt8(ascii: "=") {
                    scanner = DialectScanner(scanner.rest.dropFirst())
                    values[key] = scanner.quoted() ?? scanner.braced() ?? scanner.word()
                } else if key == "open" {
                    values[key] = []
                } else if allowsWords {
                    words.append(name)
                } else {
                    return nil
                }
            case _ where allowsWords && !name.isEmpty: words.append(name)
            default: return nil
            }
        }
    }

    package subscript(key: String) -> ArraySlice<UInt8>? { values[key] }

    package var title: ArraySlice<UInt8>? { values["title"] }
}
