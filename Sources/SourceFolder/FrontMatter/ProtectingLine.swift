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

    /// What stands after a key and its mark.
    private enum Value {
        case sentence
        /// Single words, a text in quotes, or nothing.
        case words
        /// A list in brackets, or only groups of the site.
        case rule
    }

    private let line: [UInt8]
    private let part: Part
    private let groups: [String]

    /// - Parameters:
    ///   - bytes: the line.
    ///   - groups: the names that `access` may use.
    /// - Returns: whether the line looks like such a key in this part of the page.
    static func isFound(_ bytes: ArraySlice<UInt8>, _ part: Part, groups: [String]) -> Bool {
        guard part == .fenced || mayHaveKey(bytes.span) else { return false }
        // Editors that join the lines of front matter make long lines.
        let line = FoldedLine(part == .fenced ? bytes : bytes.prefix(10_000)).bytes
        return Self(line: line, part: part, groups: groups).isFound
    }

    /// A quick filter: nearly no line of text has `access`, or begins with a word and a mark.
    private static func mayHaveKey(_ line: Span<UInt8>) -> Bool {
        var start = 0
        while start < line.count, !isLetter(line[start]) { start += 1 }
        var end = start
        while end < line.count, isLetter(line[end]) || isHyphen(line[end]) { end += 1 }
        if end - start < 25 {
            for index in end..<min(end + 8, line.count) {
                switch line[index] {
                case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "["): return true
                default: continue
                }
            }
        }
        if endOfAccess(line, from: 0) != nil { return true }
        var bits: UInt8 = 0
        for index in line.indices { bits |= line[index] }
        if bits < 0x80 { return false }
        for index in line.indices {
            switch line[index] {
            // `&`, `:`, `=`, `[` and `|`; the others begin colons and fullwidth forms.
            case 0x26, 0x3A, 0x3D, 0x5B, 0x7C, 0xCB, 0xEA, 0xEF: return true
            case 0xE2: if index + 1 < line.count, line[index + 1] == 0x88 { return true }
            default: continue
            }
        }
        return false
    }

    /// The end of the first `access`, in upper or lower case (Boyer, Moore and Horspool: the last
    /// byte of the six says how far the next word can be).
    private static func endOfAccess(_ text: Span<UInt8>, from start: Int) -> Int? {
        var last = start + 5
        while last < text.count {
            switch text[last] | 0x20 {
            case UInt8(ascii: "s"):
                if text[last - 1] | 0x20 == UInt8(ascii: "s"),
                    text[last - 2] | 0x20 == UInt8(ascii: "e"),
                    text[last - 3] | 0x20 == UInt8(ascii: "c"),
                    text[last - 4] | 0x20 == UInt8(ascii: "c"),
                    text[last - 5] | 0x20 == UInt8(ascii: "a")
                {
                    return last + 1
                }
                last += 1
            case UInt8(ascii: "e"): last += 2
            case UInt8(ascii: "c"): last += 3
            case UInt8(ascii: "a"): last += 5
            default: last += 6
            }
        }
        return nil
    }

    private var isFound: Bool {
        let marks = line.prefix { !Self.isLetter($0) && $0 != UInt8(ascii: "_") }
        // A comment, or Markdown. WYSIWYG editors that do not know front matter turn it into
        // headings, lists and tables.
        let isText = marks.contains { "*|>`#".utf8.contains($0) }
        let isPlain = !line.contains(UInt8(ascii: "\"")) && !line.contains(UInt8(ascii: "'"))
        if part != .matter || isPlain && !isText {
            for after in mentions {
                let hasMark = after.prefix(5).contains { ":=".utf8.contains($0) }
                if part == .fenced, hasMark, !isText { return true }
                guard let (mark, value) = value(after), mark != UInt8(ascii: "[") else { continue }
                if value == .rule { return true }
                let isWords = value == .words && mark != UInt8(ascii: "|")
                if isWords, !isText, part != .text { return true }
            }
        }
        if isText { return false }
        let name = line[marks.endIndex...].prefix { Self.isLetter($0) || Self.isHyphen($0) }
        let after = line[name.endIndex...]
        guard (2...24).contains(name.count), let (mark, value) = value(after),
            // `[access](page.md)` and `access[1]` are not keys.
            mark != UInt8(ascii: "[") || after.first != mark && !marks.contains(mark),
            mark != UInt8(ascii: "|")
        else { return part == .fenced && isShort }
        guard let key = Self.key(name, withholding: part == .fenced || part == .top) else {
            return false
        }
        switch part {
        case .fenced, .matter: return true
        case .top: return key == .access || value != .sentence
        case .text:
            let isBare = marks.allSatisfy { " \"'{".utf8.contains($0) }
            return isBare && value != .sentence
        }
    }

    /// Whether the line is like `access hr`, without a colon.
    private var isShort: Bool {
        let words = line.split { !Self.isWord($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard words.first?.lowercased() == "access" else { return false }
        return words.count <= 2 || words.contains(where: groups.contains)
    }

    /// The text after each `access` in the line, ignoring code.
    private var mentions: [ArraySlice<UInt8>] {
        var mentions: [ArraySlice<UInt8>] = []
        let code = line.firstIndex(of: UInt8(ascii: "`")) ?? line.endIndex
        var start = 0
        while let end = Self.endOfAccess(line.span, from: start), end <= code {
            if end == line.count || !Self.isLetter(line[end]) { mentions.append(line[end...]) }
            start = end
        }
        return mentions
    }

    /// The mark `:`, `=`, `[` or `|` after a key, and what kind of value follows.
    private func value(_ after: ArraySlice<UInt8>) -> (mark: UInt8, value: Value)? {
        let rest = after.drop { !Self.isWord($0) && !":=[|".utf8.contains($0) }
        guard let mark = rest.first, !Self.isWord(mark) else { return nil }
        let isList = mark == UInt8(ascii: "[")
        let quoted = (isList ? rest : rest.dropFirst()).prefix(1000)
            .drop { " *:=-".utf8.contains($0) }
        let text = quoted.drop { "\"' ".utf8.contains($0) }
        if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{") {
            // `Access: [the form](form.md)` is a link.
            let after = text.drop { $0 != UInt8(ascii: "]") }.dropFirst().first
            let isLink = after == UInt8(ascii: "(") || after == UInt8(ascii: "[")
            return isLink && isList ? nil : (mark, isLink ? .sentence : .rule)
        }
        let parts = text.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "|") }
        let names = parts.map { part in
            let name = part.drop { !Self.isLetter($0) }
                .prefix { Self.isWord($0) || "-_".utf8.contains($0) }
            return String(decoding: name, as: UTF8.self)
        }
        if !names.isEmpty, names.allSatisfy(groups.contains) { return (mark, .rule) }
        let isWords =
            quoted.startIndex < text.startIndex
            || parts.allSatisfy { $0.split(separator: UInt8(ascii: " ")).count <= 1 }
        return (mark, isWords ? .words : .sentence)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || byte == 0xFF
    }

    private static func isHyphen(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte)
    }

    /// - Parameter withholding: whether keys of other tools count, too.
    private static func key(_ name: ArraySlice<UInt8>, withholding: Bool) -> Key? {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        if name == "access" { return .access }
        if (5...8).contains(name.count), !otherWords.contains(name),
            NearestName.distance(name, "access") <= 2
        {
            return .misspelt
        }
        guard withholding else { return nil }
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
}
