import Bytes

/// A URL in a style sheet, `url(…)` (CSS Syntax Module Level 3, section 4.3.6).
package struct StyleSheetReference: Equatable {
    package let address: String
    /// The range of the URL, without quotes.
    package let range: Range<Int>

    /// All references of a style sheet, except those in comments and strings.
    package static func all(in css: [UInt8]) -> [StyleSheetReference] {
        var found: [StyleSheetReference] = []
        var position = 0
        while position < css.count {
            let byte = css[position]
            if byte == UInt8(ascii: "/"), css.dropFirst(position + 1).first == UInt8(ascii: "*") {
                position = end(ofComment: position, in: css)
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                position = end(ofString: position, in: css) + 1
            } else if byte == UInt8(ascii: "\\") {
                // An escaped quotation mark begins no string.
                position += 2
            } else if let start = start(ofAddress: position, in: css) {
                let range = range(from: start, in: css)
                let address = String(decoding: css[range], as: UTF8.self)
                found.append(StyleSheetReference(address: address, range: range))
                let isQuoted = range.lowerBound > start
                position = (isQuoted ? range.upperBound : end(ofURL: start, in: css)) + 1
            } else {
                position += 1
            }
        }
        return found
    }

    private static func end(ofComment start: Int, in css: [UInt8]) -> Int {
        var position = start + 2
        while position + 1 < css.count {
            if css[position] == UInt8(ascii: "*"), css[position + 1] == UInt8(ascii: "/") {
                return position + 2
            }
            position += 1
        }
        return css.count
    }

    /// The position of its closing quote.
    private static func end(ofString start: Int, in css: [UInt8]) -> Int {
        var position = start + 1
        while position < css.count, css[position] != css[start] {
            position += css[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, css.count)
    }

    /// The position after `url(` and white space, if `url(` is here and not the end of a longer
    /// name.
    private static func start(ofAddress position: Int, in css: [UInt8]) -> Int? {
        let count = "url(".utf8.count
        guard css.count - position > count, css[position + 3] == UInt8(ascii: "("),
            isName(endOf: css[..<(position + 3)])
        else { return nil }
        let rest = css[(position + count)...]
        return rest.firstIndex { !$0.isWhitespace }
    }

    /// Whether the text ends with the name `url`, and not with a longer one.
    package static func isName(endOf css: some BidirectionalCollection<UInt8>) -> Bool {
        css.suffix(3).elementsEqual("url".utf8, by: { $0 | 0x20 == $1 })
            && !(css.dropLast(3).last.map(isNamePart) ?? false)
    }

    private static func range(from start: Int, in css: [UInt8]) -> Range<Int> {
        if css[start] == UInt8(ascii: "\"") || css[start] == UInt8(ascii: "'") {
            return start + 1..<max(start + 1, end(ofString: start, in: css))
        }
        let url = css[start..<end(ofURL: start, in: css)]
        return start..<(url.firstIndex(where: \.isWhitespace) ?? url.endIndex)
    }

    /// The position of the `)` that ends a URL without quotes, also one that is wrong (CSS Syntax
    /// Module Level 3, section 4.3.14).
    package static func end(ofURL start: Int, in css: [UInt8]) -> Int {
        var position = start
        while position < css.count, css[position] != UInt8(ascii: ")") {
            position += css[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position, css.count)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        byte.isPartOfWord || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
