import Bytes

/// Where the labels of a document's reference links lead.
struct LinkLabels {
    struct Target {
        let destination: String
        let title: String
    }

    /// A definition, and where its label stands.
    struct Definition {
        let label: String
        let key: [UInt8]
        let line: Int
        let column: Int
    }

    private var targets: [[UInt8]: Target] = [:]
    /// All, in the order of the text.
    private(set) var definitions: [Definition] = []

    static let maximumBytes = 1000

    subscript(label: ArraySlice<UInt8>) -> Target? {
        targets.isEmpty ? nil : targets[Self.key(label)]
    }

    /// - Parameter isCommonMark: whether no label is that of a footnote.
    mutating func define(
        _ definition: ReferenceDefinition,
        at place: (line: Int, column: Int),
        isCommonMark: Bool
    ) {
        let label = definition.label
        if !isCommonMark, label.first == UInt8(ascii: "^"), label.count > 1 { return }
        let key = Self.key(label)
        let text = String(decoding: label, as: UTF8.self)
        definitions.append(
            Definition(label: text, key: key, line: place.line, column: place.column)
        )
        if targets[key] == nil { targets[key] = definition.target }
    }

    /// The text of a label, brackets excluded, and what follows it.
    static func label(_ input: [UInt8], at start: Int) -> (text: ArraySlice<UInt8>, end: Int)? {
        guard start < input.count, input[start] == UInt8(ascii: "[") else { return nil }
        var scan = start + 1
        while scan < input.count, scan - start <= maximumBytes + 1 {
            switch input[scan] {
            case UInt8(ascii: "]"):
                return (input[start + 1..<scan].trimmed(where: \.isWhitespace), scan + 1)
            case UInt8(ascii: "["): return nil
            case UInt8(ascii: "\\"):
                let isEscape = scan + 1 < input.count && input[scan + 1].isPunctuation
                scan += isEscape ? 2 : 1
            default: scan += 1
            }
        }
        return nil
    }

    /// What labels are compared by: with their case folded, and with single spaces.
    static func key(_ label: ArraySlice<UInt8>) -> [UInt8] {
        var key: [UInt8] = []
        for byte in label {
            if !byte.isWhitespace {
                key.append((65...90).contains(byte) ? byte + 32 : byte)
            } else if let last = key.last, last != .space {
                key.append(.space)
            }
        }
        if key.last == .space { key.removeLast() }
        if key.allSatisfy({ $0 < 0x80 }) { return key }
        // Upper and then lower case, because 'ẞ', 'ß' and 'SS' are equal.
        let text = String(decoding: key, as: UTF8.self)
        return Array(text.lowercased().uppercased().lowercased().utf8)
    }
}
