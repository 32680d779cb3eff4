import Bytes

/// The attributes that ``SafeElement``s may have, and the values of those.
package enum SafeAttribute {
    private enum Value {
        case text
        /// A boolean attribute, whose value means nothing.
        case flag
        /// A whole number from 0.
        case number(Int)
        case signedNumber
        /// Pixels, or percent of the element around.
        case length(Int)
        case word([String])
        case address
        case classes
    }

    /// - Returns: whether the attribute and its value are allowed.
    package static func isAllowed(_ attribute: HTMLTag.Attribute, on element: SafeElement) -> Bool {
        guard let value = value(of: attribute.name, element) else { return false }
        let text = attribute.value
        switch value {
        case .text, .flag, .address: return true
        case .number(let limit):
            return isNumber(text) && (Int(text) ?? .max) <= limit
        case .signedNumber: return isNumber(text.hasPrefix("-") ? text.dropFirst() : text[...])
        case .length(let limit):
            if text.hasSuffix("%") {
                return isNumber(text.dropLast()) && (Int(text.dropLast()) ?? .max) <= 100
            }
            let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
            return isNumber(number) && (Int(number) ?? .max) <= limit
        case .word(let words): return words.contains(text.lowercased())
        case .classes: return classes(text) != nil
        }
    }

    /// The value as it is written, where it has no address.
    package static func written(_ attribute: HTMLTag.Attribute) -> String {
        attribute.name == "class" ? classes(attribute.value) ?? "" : attribute.value
    }

    /// The classes of authors have a prefix: no rule of the theme is meant for them, and no script.
    private static func classes(_ text: String) -> String? {
        let names = text.utf8.split { $0.isWhitespace }
        let areNames = names.allSatisfy { name in
            name.count <= 64 && name.allSatisfy { $0.isLetterOrDigit || $0 == 45 || $0 == 95 }
        }
        guard areNames, names.count <= 8 else { return nil }
        return names.map { "author-" + String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
    }

    private static func isNumber(_ text: some StringProtocol) -> Bool {
        (1...6).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    }

    private static func value(of name: String, _ element: SafeElement) -> Value? {
        if let value = common[name] { return value }
        if let value = byElement[element.name]?[name] { return value }
        switch element.kind {
        case .tableSection, .tableRow, .tableCell, .columnGroup, .column:
            return ofTableParts[name] ?? (element.kind == .tableCell ? ofCells[name] : nil)
        case .paragraph, .heading, .caption:
            return name == "align" ? .word(sides) : nil
        default: return nil
        }
    }

    private static let sides = ["left", "right", "center", "justify"]

    private static let common: [String: Value] = [
        "class": .classes, "title": .text, "lang": .text, "aria-label": .text,
        "dir": .word(["ltr", "rtl", "auto"]),
    ]

    private static let byElement: [String: [String: Value]] = [
        "a": ["href": .address],
        "img": [
            "src": .address, "srcset": .address, "sizes": .text, "alt": .text,
            "width": .length(4096), "height": .length(16_384), "loading": .word(["lazy", "eager"]),
            "align": .word(["left", "right", "top", "middle", "bottom", "center"]),
        ],
        "source": [
            "srcset": .address, "sizes": .text, "media": .text, "type": .text,
            "width": .length(4096), "height": .length(16_384),
        ],
        "details": ["open": .flag],
        "div": ["align": .word(sides)],
        "ol": [
            "start": .signedNumber, "reversed": .flag,
            "type": .word(["1", "a", "i"]),
        ],
        "li": ["value": .signedNumber],
        "time": ["datetime": .text], "del": ["datetime": .text], "ins": ["datetime": .text],
        "table": ["align": .word(["left", "right", "center"]), "width": .length(1024)],
        "colgroup": ["span": .number(100)],
        "col": ["span": .number(100)],
    ]

    private static let ofTableParts: [String: Value] = [
        "align": .word(sides), "valign": .word(["top", "middle", "bottom", "baseline"]),
        "width": .length(1024),
    ]

    private static let ofCells: [String: Value] = [
        "colspan": .number(100), "rowspan": .number(1000), "abbr": .text,
        "scope": .word(["row", "col", "rowgroup", "colgroup"]),
    ]
}
