import Bytes

/// The addresses in the value of an attribute in raw HTML.
package enum HTMLReference {
    package enum Kind {
        /// A reader may follow it.
        case link
        /// A browser loads it by itself.
        case source
        /// The HTML of a whole document, in `srcdoc`.
        case document
    }

    /// A value's text, and the addresses in it.
    package enum Piece: Equatable {
        case text(String)
        case address(String, Kind)
    }

    /// `nil` for a value that stays as it is.
    package static func pieces(_ tag: String, _ attribute: HTMLTag.Attribute) -> [Piece]? {
        if attribute.valueRange.isEmpty { return nil }
        switch (tag, attribute.name) {
        case ("a", "href"), ("area", "href"):
            return [.address(trimmed(attribute.value), .link)]
        case ("img", "src"), ("source", "src"), ("video", "src"), ("audio", "src"),
            ("track", "src"), ("video", "poster"), ("iframe", "src"), ("embed", "src"),
            ("object", "data"):
            return [.address(trimmed(attribute.value), .source)]
        case ("img", "srcset"), ("source", "srcset"):
            return candidates(attribute.value)
        case ("iframe", "srcdoc"):
            return [.address(attribute.value, .document)]
        default:
            guard addresses.contains(attribute.name), HTMLText.isDangerous(attribute.value) else {
                return nil
            }
            return [.address(trimmed(attribute.value), .link)]
        }
    }

    /// Attributes whose value a browser may open.
    private static let addresses: Set<String> = [
        "href", "src", "action", "formaction", "data", "poster", "xlink:href", "background",
        "cite", "ping", "longdesc", "manifest", "codebase", "classid", "to", "from", "values",
    ]

    /// A URL without the characters that browsers remove first (URL Standard, section 4.4).
    private static func trimmed(_ value: String) -> String {
        let bytes = value.utf8.filter { $0 != .tab && !$0.isLineEnd }
        return String(decoding: bytes[...].trimmed { $0 <= 0x20 }, as: UTF8.self)
    }

    /// The addresses in `small.jpg 1x, large.jpg 2x`; `dark icon.png` is one address, because its
    /// last word is neither a density nor a size.
    private static func candidates(_ value: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Substring(value)
        func isSpace(_ character: Character) -> Bool { character.isWhitespace }
        while !rest.isEmpty {
            let before = rest.prefix { isSpace($0) || $0 == "," }
            if !before.isEmpty { pieces.append(.text(String(before))) }
            rest = rest.dropFirst(before.count)
            let word = rest.prefix { !isSpace($0) }
            var url = word
            while url.last == "," { url.removeLast() }
            if !url.isEmpty { pieces.append(.address(String(url), .source)) }
            rest = rest.dropFirst(url.count)
            if word.count == url.count {
                let descriptor = rest.prefix { $0 != "," }
                let words = descriptor.split(whereSeparator: isSpace)
                let areSizes = words.allSatisfy { word in
                    "wxh".contains(word.last ?? " ") && Double(word.dropLast()) != nil
                }
                if !areSizes, !value.contains(",") { return [.address(trimmed(value), .source)] }
                if !descriptor.isEmpty { pieces.append(.text(String(descriptor))) }
                rest = rest.dropFirst(descriptor.count)
            }
        }
        return pieces
    }
}
