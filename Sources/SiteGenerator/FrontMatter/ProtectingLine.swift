import Diagnostics

/// Recognises a line of text with a key that protects a page, such as `access: [hr]`, in any form.
struct ProtectingLine {
    /// The part of a page that a line belongs to.
    enum Part {
        /// In parsed front matter.
        case matter
        /// Next to a line that looks like a fence, with no empty line in between.
        case fenced
        /// Above the first heading of a page without front matter.
        case top
        case text
    }

    private enum Key {
        /// `access`, spelled correctly.
        case access
        /// A misspelling of `access`.
        case misspelt
        /// A key by which another tool hides a page.
        case withholding
    }

    private let text: String

    /// - Parameters:
    ///   - range: of the line in the file.
    ///   - groups: the names that `access` may use.
    /// - Returns: whether the line looks like such a key in this part of the page.
    static func isFound(
        at range: Range<Int>,
        in file: [UInt8],
        _ part: Part,
        groups: [String]
    ) -> Bool {
        guard LineFilter.mayHaveKey(file.span, range, part) else { return false }
        // Editors that join the lines of front matter make long lines.
        if part == .fenced, range.count > 10_000 { return true }
        let bytes = file[range].prefix(part == .text ? 400 : 10_000)
        let line = ProtectingLine(text: plain(bytes))
        // WYSIWYG editors that do not know front matter turn it into headings, lists and tables,
        // and write `\[hr\]`.
        let start = line.start
        let isPlain = part == .matter && (start.isText || line.isQuoted)
        if !isPlain, line.words.contains(where: { isRule($0, groups) }) { return true }
        if start.isText { return false }
        switch part {
        case .matter:
            return start.key == .access || start.key == .misspelt
                || line.words.contains { hasMark($0) && hasWords($0) && !line.isQuoted }
        case .fenced: return start.key != nil || line.isShort || line.words.contains(where: hasMark)
        case .top:
            return start.key == .access || (start.key != nil && start.hasWords)
                || line.words.contains { hasMark($0) && hasWords($0) }
        case .text:
            return start.isBare && start.hasWords
                && (start.key == .access || start.key == .misspelt)
        }
    }

    /// The key at the beginning of a line.
    private struct Start {
        var key: Key?
        /// Whether a list, a quoted string, single words or nothing follows, and not a sentence.
        var hasWords = false
        /// Whether only quotes, braces and white space precede the key.
        var isBare = false
        /// Whether the line is a comment, or has Markdown marks before its first word.
        var isText = false
    }

    private var start: Start {
        let marks = text.prefix { !($0.isLetter || $0 == "_" || $0 == "#") }
        let rest = text[marks.endIndex...]
        if rest.first == "#" { return Start(isText: true) }
        if marks.contains(where: { "*|>`".contains($0) }) { return Start(isText: true) }
        let name = rest.prefix { $0.isLetter || $0 == "_" || $0 == "-" }
        let tail = rest[name.endIndex...].drop {
            !$0.isLetter && !$0.isNumber && !":=[".contains($0)
        }
        guard (2...24).contains(name.count), let mark = tail.first, ":=[".contains(mark) else {
            return Start()
        }
        // `access [hr]` lacks its colon; `[access](page.md)` and `access[1]` are not keys.
        if mark == "[", marks.contains("[") || rest[name.endIndex...].first == "[" {
            return Start()
        }
        return Start(
            key: Self.key(name),
            hasWords: Self.hasWords(mark == "[" ? tail : tail.dropFirst()),
            isBare: marks.allSatisfy { " \t\"'{".contains($0) }
        )
    }

    private var isQuoted: Bool { text.contains { "\"'".contains($0) } }

    /// Whether the line is like `access hr`, without a colon.
    private var isShort: Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        return words.first?.lowercased() == "access" && words.count <= 2
    }

    /// The text after each `access` in the line, ignoring code.
    private var words: [Substring] {
        let bytes = text.utf8.span
        var found: [Substring] = []
        var start = 0
        while let end = LineFilter.endOfAccess(bytes, from: start, to: bytes.count) {
            // With a combining mark, a letter is another character.
            if !isASCII { return wordsByCharacter }
            if (start..<end).contains(where: { bytes[$0] == UInt8(ascii: "`") }) { break }
            let after = text[text.utf8.index(text.startIndex, offsetBy: end)...]
            if after.first?.isLetter != true { found.append(after) }
            start = end
        }
        return found
    }

    private var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private var wordsByCharacter: [Substring] {
        var found: [Substring] = []
        var rest = text[...]
        while let position = rest.firstIndex(where: { $0 == "a" || $0 == "A" || $0 == "`" }) {
            if rest[position] == "`" { return found }
            let word = rest[position...].prefix(6)
            if word.lowercased() == "access" {
                let after = rest[word.endIndex...]
                if after.first?.isLetter != true { found.append(after) }
                rest = after
            } else {
                rest = rest[position...].dropFirst()
            }
        }
        return found
    }

    /// Whether a colon and then a list in brackets, or only groups of the site, follow.
    private static func isRule(_ after: Substring, _ groups: [String]) -> Bool {
        let rest = after.drop { !$0.isLetter && !$0.isNumber && !":=[|".contains($0) }
        guard let mark = rest.first, ":=|".contains(mark), after.distance(to: rest) < 6 else {
            return false
        }
        let value = rest.dropFirst().drop { " \\*\"'".contains($0) }
        if value.first == "[" || value.first == "{" {
            // `Access: [the form](form.md)` is a link.
            let end = value.firstIndex(of: "]").map { value[$0...].dropFirst().first } ?? nil
            return mark != "|" && end != "(" && end != "["
        }
        if groups.isEmpty { return false }
        let names = value.split { $0 == "," || $0 == "|" }
        return !names.isEmpty
            && names.allSatisfy { name in
                let group = name.drop { !$0.isLetter }.prefix {
                    $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
                }
                return groups.contains { $0 == group }
            }
    }

    private static func hasMark(_ after: Substring) -> Bool {
        after.prefix(4).contains { ":=".contains($0) }
    }

    private static func hasWords(_ text: Substring) -> Bool {
        var value = text.drop { " \"'".contains($0) }
        value = value.drop { ":=".contains($0) }
        value = value.drop { " -".contains($0) }
        if value.first.map({ "[{\"'".contains($0) }) ?? true { return true }
        return value.split(separator: ",").allSatisfy { $0.split(separator: " ").count == 1 }
    }

    private static func key(_ name: Substring) -> Key? {
        let name = name.lowercased()
        if name == "access" { return .access }
        if (5...8).contains(name.count), !otherWords.contains(name),
            NearestName.distance(name, "access") <= 2
        {
            return .misspelt
        }
        let others = [
            "draft", "published", "publish", "publishdate", "expirydate", "unpublishdate",
        ]
        return others.contains(name) || ForeignAccessKey.isName(name) ? .withholding : nil
    }

    /// English words that are as close to `access` as its misspellings.
    private static let otherWords: Set<String> = [
        "abscess", "accent", "accents", "accept", "accepts", "accessed", "across", "actress",
        "assess", "caress", "excess", "recess", "success",
    ]

    /// The text without invisible characters, and with ASCII letters in place of letters that look
    /// like them.
    private static func plain(_ line: ArraySlice<UInt8>) -> String {
        var text = String(decoding: line, as: UTF8.self)
        let hasReference = line.contains(UInt8(ascii: "&"))
        if hasReference, text.contains("&#58;") || text.contains("&colon;") {
            text = text.replacing("&#58;", with: ":").replacing("&colon;", with: ":")
        }
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            // Latin letters, Chinese and Japanese characters: the questions below are slow.
            case 0x20..<0x7F, 0xC0..<0x2B0, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF:
                plain.append(scalar)
            case 0x400...0x481: plain.append(lookalike(scalar))
            // Fullwidth forms, as an input method for Chinese or Japanese writes them.
            case 0xFF01...0xFF5E: plain.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            default:
                if scalar.properties.isWhitespace {
                    plain.append(" ")
                } else if !InvisibleScalar.isInvisible(scalar) {
                    plain.append(scalar)
                }
            }
        }
        return String(plain)
    }

    /// The ASCII letter for a Cyrillic letter of the word `access`.
    private static func lookalike(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "а": "a"
        case "А": "A"
        case "с": "c"
        case "С": "C"
        case "е": "e"
        case "Е": "E"
        case "ѕ": "s"
        case "Ѕ": "S"
        default: scalar
        }
    }
}

extension Substring {
    /// The number of characters before another part of the same text.
    fileprivate func distance(to other: Substring) -> Int {
        distance(from: startIndex, to: other.startIndex)
    }
}
