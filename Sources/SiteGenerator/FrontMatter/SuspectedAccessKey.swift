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

    /// The number of lines that are checked at least.
    private static let lines = 100

    /// - Parameters:
    ///   - file: the whole text.
    ///   - split: the same text, split.
    static func find(
        in file: [UInt8],
        _ split: FrontMatterSplit,
        groups: [String] = []
    ) -> SuspectedAccessKey? {
        let text = file.span
        var position = 0
        var number = 0
        var part = split.frontMatter == nil ? ProtectingLine.Part.top : .text
        // The fence of an open code block. A code block at the top may be front matter that
        // somebody pasted.
        var open: UInt8?
        var isPasted = false
        var isFenced = split.frontMatter != nil
        var isFirst = true
        // Below a line that looks like a fence, front matter may have any number of lines.
        while number < max(lines, split.linesBefore) || isFenced,
            let line = TextLine(text, at: position)
        {
            position = line.next
            number += 1
            if number <= split.linesBefore, split.frontMatter != nil {
                if ProtectingLine.isFound(at: line.range, in: file, .matter, groups: groups) {
                    return Self(number, file[line.range])
                }
                continue
            }
            var start = line.range.lowerBound
            while start < line.range.upperBound, text[start] == 32 { start += 1 }
            guard start < line.range.upperBound, text[start] != 13 else {
                isFenced = false
                continue
            }
            let first = text[start]
            defer { isFirst = false }
            let isCodeFence =
                (first == UInt8(ascii: "`") || first == UInt8(ascii: "~"))
                && line.range.upperBound - start >= 3
                && text[start + 1] == first && text[start + 2] == first
            if let fence = open {
                if isCodeFence, first == fence { open = nil }
                if isCodeFence || !isPasted { continue }
            } else if isCodeFence {
                open = first
                isPasted = isFirst
                continue
            }
            if first == UInt8(ascii: "#") { part = .text }
            isFenced = isFenced || Self.looksLikeFence(file, start..<line.range.upperBound)
            let isCode = start - line.range.lowerBound >= 4 && part == .text && !isFenced
            let actual = isFenced ? .fenced : part
            if !isCode, ProtectingLine.isFound(at: line.range, in: file, actual, groups: groups) {
                return Self(number, file[line.range])
            }
        }
        return nil
    }

    /// Whether the line begins with `---`, `+++` or `{`, whatever follows; not a table row.
    private static func looksLikeFence(_ file: [UInt8], _ range: Range<Int>) -> Bool {
        switch file[range.lowerBound] {
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "{"), UInt8(ascii: "<"), 0x80...:
            break
        // Most lines begin with a letter.
        default: return false
        }
        var line = file[range]
        while line.starts(with: "<!--".utf8), let end = line.firstIndex(of: UInt8(ascii: ">")) {
            line = line[(end + 1)...]
        }
        // List items have a space after their mark.
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

    private init(_ number: Int, _ line: ArraySlice<UInt8>) {
        self.line = number
        let visible = String(decoding: line.prefix(200), as: UTF8.self).unicodeScalars
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
