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

    /// - Parameter groups: the names that `access` may use.
    /// - Returns: whether the line looks like such a key in this part of the page.
    static func isFound(
        in line: ArraySlice<UInt8>,
        _ part: Part,
        groups: [String]
    ) -> Bool {
        guard mayHaveKey(line, part) else { return false }
        let line = ProtectingLine(text: plain(line.prefix(part == .matter ? 10_000 : 400)))
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

    /// A quick filter: only few lines need the closer look, and every page has up to a hundred
    /// lines to check.
    private static func mayHaveKey(_ line: ArraySlice<UInt8>, _ part: Part) -> Bool {
        let isWord: (UInt8) -> Bool = { byte in
            (97...122).contains(byte | 0x20) || byte >= 0x80 || byte == 0x5F || byte == 0x2D
        }
        let word = line.drop { !isWord($0) || $0 == 0x2D }.prefix(while: isWord)
        if word.contains(where: { $0 >= 0x80 }) { return true }
        let next = line[word.endIndex...].prefix(8)
        if word.count < 25, next.contains(where: { ":=[".utf8.contains($0) || $0 >= 0x80 }) {
            // In other parts only `access` and its misspellings count.
            let isNear =
                (5...8).contains(word.count) && word.count { "aces".utf8.contains($0 | 0x20) } > 2
            if part == .top || part == .fenced || isNear { return true }
        }
        // `access`, in upper or lower case.
        var position = line.startIndex
        while line.endIndex - position >= 6 {
            if line[position] | 0x20 == 0x61, line[position + 1] | 0x20 == 0x63,
                line[position + 2] | 0x20 == 0x63, line[position + 3] | 0x20 == 0x65,
                line[position + 4] | 0x20 == 0x73, line[position + 5] | 0x20 == 0x73
            {
                let next = line[(position + 6)...].prefix(6)
                if part == .fenced
                    || next.contains(where: { ":=|&".utf8.contains($0) || $0 >= 0x80 })
                {
                    return true
                }
            }
            position += 1
        }
        return false
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
        var found: [Substring] = []
        var rest = text[...]
        while let position = rest.firstIndex(where: { "aA`".contains($0) }) {
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
        let names = value.split { ",|".contains($0) }.map { name in
            String(
                name.drop { !$0.isLetter }.prefix {
                    $0.isLetter || $0.isNumber || "-_".contains($0)
                }
            )
        }
        return !names.isEmpty && names.allSatisfy { groups.contains($0) }
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
            if (0xFF01...0xFF5E).contains(scalar.value) {
                // Fullwidth forms, as an input method for Chinese or Japanese writes them.
                plain.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            } else if scalar.properties.isWhitespace {
                plain.append(" ")
            } else if let letter = lookalikes[scalar] {
                plain.append(letter)
            } else if !InvisibleScalar.isInvisible(scalar) {
                plain.append(scalar)
            }
        }
        return String(plain)
    }

    /// Cyrillic letters of the word `access`.
    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "А": "A", "с": "c", "С": "C", "е": "e", "Е": "E", "ѕ": "s", "Ѕ": "S",
    ]
}

extension Substring {
    /// The number of characters before another part of the same text.
    fileprivate func distance(to other: Substring) -> Int {
        distance(from: startIndex, to: other.startIndex)
    }
}
