import Bytes

/// What the words behind the backticks of a code block say besides the language: the attributes of
/// Material for MkDocs, Docusaurus, Starlight, VitePress and Hugo.
package struct CodeInfo: Equatable {
    package var title: String?
    /// The number of the first line; `nil` if lines have no numbers.
    package var firstNumber: Int?
    /// Lines that stand out, counted from 1.
    package var marked: [ClosedRange<Int>] = []
    package var inserted: [ClosedRange<Int>] = []
    package var deleted: [ClosedRange<Int>] = []
    /// Whether `(1)` in comments belongs to a list below the block.
    package var isAnnotated = false

    /// Whether lines have numbers or stand out.
    package var hasLines: Bool {
        firstNumber != nil || !marked.isEmpty || !inserted.isEmpty || !deleted.isEmpty
    }

    /// No block has more lines that are of interest to anybody.
    private static let maximumNumber = 1_000_000

    /// Whether an info string has anything behind the language.
    package static func saysMore(_ info: String) -> Bool {
        info.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "{"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }

    /// - Parameter info: the info string, language included.
    package init(_ info: String) {
        var scanner = Scanner(text: Array(info.utf8))
        // The language; VitePress writes 'ts{4}' and 'ts:line-numbers'.
        let language = scanner.word(until: " \t{")
        if language.contains("=") || language.first == "[" {
            scanner = Scanner(text: Array(info.utf8))
        }
        for option in language.split(separator: ":").dropFirst() {
            let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
            if let name = parts.first { set(name, to: parts.count > 1 ? parts[1] : nil) }
        }
        read(&scanner)
    }

    /// - Parameter isInside: whether these attributes stand in braces, in which braces mean nothing.
    private mutating func read(_ scanner: inout Scanner, isInside: Bool = false) {
        // 'title=Two words' without quotation marks.
        var isInTitle = false
        while let item = scanner.next() {
            switch item {
            case .braces(let inside):
                if let lines = Self.lines(inside) {
                    marked += lines
                } else if !isInside {
                    var attributes = Scanner(text: Array(inside.utf8))
                    read(&attributes, isInside: true)
                }
            case .brackets(let name): title = title ?? name
            case .attribute(let name, let value):
                let old = title
                let isKnown = set(name, to: value)
                if isInTitle, value == nil, !isKnown {
                    title = "\(title ?? "") \(name)"
                } else {
                    isInTitle = title != old && scanner.isBehindWord
                }
                continue
            case .text: break
            }
            isInTitle = false
        }
    }

    /// - Returns: whether the attribute is known.
    @discardableResult
    private mutating func set(_ name: String, to value: String?) -> Bool {
        if name == ".annotate" {
            isAnnotated = true
            return true
        }
        // Pandoc's classes and VitePress' options.
        switch name.lowercased().drop(while: { $0 == "." || $0 == ":" }) {
        case "title", "filename", "file", "name": title = value
        case "linenums", "linenumbers", "showlinenumbers", "line-numbers":
            firstNumber = value == "false" ? nil : value.flatMap(Self.number) ?? firstNumber ?? 1
        case "linenos", "lineno", "number-lines", "numberlines":
            firstNumber = value == "false" ? nil : firstNumber ?? 1
        case "linenostart", "startlinenumber", "startfrom", "start-from":
            if let number = value.flatMap(Self.number) { firstNumber = number }
        case "hl_lines", "mark", "hl", "emphasize-lines", "highlight":
            marked += Self.lines(value ?? "") ?? []
        case "ins": inserted += Self.lines(value ?? "") ?? []
        case "del": deleted += Self.lines(value ?? "") ?? []
        default: return name.hasPrefix(".")
        }
        return true
    }

    /// A line as a number; one that no block has stands for the last one.
    private static func line(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? maximumNumber, maximumNumber)
    }

    private static func number(_ text: String) -> Int? {
        Int(text).flatMap { (0...maximumNumber).contains($0) ? $0 : nil }
    }

    /// Lines such as `1,3-5`, `2 3` and `8,"15-17"`; `nil` for anything else.
    private static func lines(_ text: String) -> [ClosedRange<Int>]? {
        let parts = text.split { $0 == "," || $0 == " " || $0 == "\"" || $0 == "'" }
        if parts.isEmpty { return nil }
        var lines: [ClosedRange<Int>] = []
        for part in parts {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.line)
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1],
                first > 0, first <= last
            else { return nil }
            lines.append(first...last)
        }
        return lines
    }

    /// Splits the words behind the language.
    private struct Scanner {
        enum Item {
            /// `{1,3-5}` or `{title="a.py"}`, without the braces.
            case braces(String)
            /// `[a.py]`, without the brackets.
            case brackets(String)
            case attribute(String, String?)
            /// Words in quotes.
            case text
        }

        let text: [UInt8]
        private var position = 0

        init(text: [UInt8]) { self.text = text }

        mutating func word(until ends: String) -> String {
            let start = position
            while position < text.count, !ends.utf8.contains(text[position]) { position += 1 }
            return String(decoding: text[start..<position], as: UTF8.self)
        }

        /// Whether a word ended here, and no quotation mark or bracket.
        var isBehindWord: Bool {
            position > 0 && (text[position - 1].isLetterOrDigit || text[position - 1] == 0x2E)
        }

        mutating func next() -> Item? {
            while position < text.count, " \t,}]".utf8.contains(text[position]) { position += 1 }
            guard position < text.count else { return nil }
            switch text[position] {
            case UInt8(ascii: "{"): return .braces(enclosed(by: UInt8(ascii: "}")))
            case UInt8(ascii: "["):
                // '/ye[sp]/' is an expression for words that another tool marks.
                let isAlone = position == 0 || " \t,}".utf8.contains(text[position - 1])
                let inside = enclosed(by: UInt8(ascii: "]"))
                return isAlone ? .brackets(inside) : .text
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                _ = quoted()
                return .text
            default: break
            }
            let start = position
            let name = word(until: "= \t,{}[]\"'")
            if position == start { position += 1 }
            guard position < text.count, text[position] == UInt8(ascii: "="), position > start
            else {
                return .attribute(name, nil)
            }
            position += 1
            guard position < text.count else { return .attribute(name, nil) }
            switch text[position] {
            case UInt8(ascii: "{"): return .attribute(name, enclosed(by: UInt8(ascii: "}")))
            case UInt8(ascii: "["): return .attribute(name, enclosed(by: UInt8(ascii: "]")))
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return .attribute(name, quoted())
            default:
                // Typographic quotation marks.
                var words = DialectScanner(text[position...])
                guard let value = words.quoted() else {
                    return .attribute(name, word(until: " \t,}"))
                }
                position = words.position
                return .attribute(name, String(decoding: value, as: UTF8.self))
            }
        }

        /// What stands up to the closing sign, which may occur in quotes.
        private mutating func enclosed(by close: UInt8) -> String {
            position += 1
            let start = position
            while position < text.count, text[position] != close {
                if text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'") {
                    _ = quoted()
                } else {
                    position += 1
                }
            }
            defer { position = min(position + 1, text.count) }
            return String(decoding: text[start..<min(position, text.count)], as: UTF8.self)
        }

        private mutating func quoted() -> String {
            let quote = text[position]
            position += 1
            let start = position
            while position < text.count, text[position] != quote { position += 1 }
            defer { position = min(position + 1, text.count) }
            return String(decoding: text[start..<position], as: UTF8.self)
        }
    }
}
