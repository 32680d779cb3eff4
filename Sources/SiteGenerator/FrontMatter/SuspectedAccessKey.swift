import Diagnostics

/// A line near the top of a page that looks like a key that protects the page, but was not read as
/// one.
///
/// Front matter can be damaged in countless ways: a fence without a dash, a mark before it, a key
/// one level too deep. Read as text, the page would be open to everybody who signs in. So a line
/// that still looks like such a key, on a page without access rule, is an error.
struct SuspectedAccessKey {
    /// From 1, in the file.
    let line: Int
    /// As the author wrote it.
    let text: String

    /// The number of lines that are checked.
    private static let lines = 100

    /// - Parameters:
    ///   - file: the whole text.
    ///   - split: the same text, split.
    static func find(
        in file: [UInt8],
        _ split: FrontMatterSplit,
        groups: [String] = []
    ) -> SuspectedAccessKey? {
        var position = 0
        var number = 0
        var part = split.frontMatter == nil ? ProtectingLine.Part.top : .text
        // The fence of an open code block. A code block at the top may be front matter that
        // somebody pasted.
        var open: UInt8?
        var isPasted = false
        var isFenced = split.frontMatter != nil
        var isFirst = true
        while number < max(lines, split.linesBefore), let line = TextLine(file, at: position) {
            position = line.next
            number += 1
            if number <= split.linesBefore, split.frontMatter != nil {
                if ProtectingLine.isFound(in: line.text, .matter, groups: groups) {
                    return Self(number, line)
                }
                continue
            }
            let start = line.text.drop { $0 == 32 }
            guard let first = start.first, first != 13 else {
                isFenced = false
                continue
            }
            defer { isFirst = false }
            let isCodeFence = start.starts(with: "```".utf8) || start.starts(with: "~~~".utf8)
            if let fence = open {
                if isCodeFence, first == fence { open = nil }
                if isCodeFence || !isPasted { continue }
            } else if isCodeFence {
                open = first
                isPasted = isFirst
                continue
            }
            if first == UInt8(ascii: "#") { part = .text }
            isFenced = isFenced || Self.looksLikeFence(start)
            let isCode = start.startIndex - line.text.startIndex >= 4 && part == .text && !isFenced
            if !isCode,
                ProtectingLine.isFound(in: line.text, isFenced ? .fenced : part, groups: groups)
            {
                return Self(number, line)
            }
        }
        return nil
    }

    /// Whether the line begins with `---`, `+++` or `{`, whatever follows; not a table row.
    private static func looksLikeFence(_ line: ArraySlice<UInt8>) -> Bool {
        var line = line
        while line.starts(with: "<!--".utf8), let end = line.firstIndex(of: UInt8(ascii: ">")) {
            line = line[(end + 1)...]
        }
        // Most lines begin with a letter, and list items have a space after their mark.
        guard let first = line.first, first >= 0x80 || "-+{".utf8.contains(first) else {
            return false
        }
        if first < 0x80, let second = line.dropFirst().first, second == 32, first != 123 {
            return false
        }
        let visible = String(decoding: line.prefix(40), as: UTF8.self).unicodeScalars
            .drop { InvisibleScalar.isInvisible($0) || !($0.isASCII || $0.properties.isDash) }
        if visible.prefix(2).allSatisfy({ $0.properties.isDash }) { return visible.count > 1 }
        return visible.starts(with: "++".unicodeScalars) || visible.first == "{"
    }

    private init(_ number: Int, _ line: TextLine) {
        self.line = number
        let visible = String(decoding: line.text.prefix(200), as: UTF8.self).unicodeScalars
            .filter { !InvisibleScalar.isInvisible($0) || $0 == " " }
        text = String(String.UnicodeScalarView(visible)).prefix(60).description
    }

    func diagnostic(_ path: String) -> Diagnostic {
        let message =
            "'\(text)' looks like a key that protects this page, but has no effect: it is outside"
            + " the front matter, or nested in another key"
        let note = Diagnostic.Note(
            "front matter stands between two lines of '---' at the top; if the line is text, put it"
                + " into a code block, or add 'access: …' to the front matter"
        )
        return Diagnostic(
            .unreadAccess,
            message,
            at: SourceLocation(path, line: line),
            notes: [note]
        )
    }
}
