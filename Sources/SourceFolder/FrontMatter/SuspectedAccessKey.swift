import Bytes
import Diagnostics
import Rules

/// A line near the top of a page that looks like a key that protects the page, but was not read as
/// one.
///
/// Front matter can be damaged in countless ways: a fence without a dash, a mark before it, a key
/// one level too deep. Read as text, the page would be open to everybody who signs in. So a line
/// that still looks like such a key, on a page without access rule, is an error.
package struct SuspectedAccessKey {
    /// From 1, in the file.
    let line: Int
    /// As the author wrote it.
    let text: String

    /// The number of lines that are checked at least.
    private static let lines = 100

    /// - Parameters:
    ///   - file: the whole text.
    ///   - split: the same text, split.
    package static func find(
        in file: [UInt8],
        _ split: FrontMatterSplit,
        groups: [String] = []
    ) -> SuspectedAccessKey? {
        let matterLines = split.frontMatter == nil ? 0 : split.linesBefore
        var part = split.frontMatter == nil ? ProtectingLine.Part.top : .text
        // Below a line that looks like a fence, front matter may have any number of lines.
        var isFenced = split.frontMatter != nil
        // The fence of an open code block. A code block at the top may be front matter that
        // somebody pasted.
        var code: UInt8?
        var isPasted = false
        var isFirst = true
        var position = 0
        var number = 0
        while number < max(lines, matterLines) || isFenced,
            let next = TextLine(file.span, at: position)
        {
            let line = file[next.range]
            position = next.next
            number += 1
            if number <= matterLines {
                if ProtectingLine.isFound(line, .matter, groups: groups) {
                    return Self(number, line)
                }
                continue
            }
            let text = line.drop { $0 <= 32 }
            guard let first = text.first else {
                isFenced = false
                continue
            }
            defer { isFirst = false }
            let isCodeFence =
                first == UInt8(ascii: "`") || first == UInt8(ascii: "~")
                ? text.prefix { $0 == first }.count > 2 : false
            if isCodeFence, code == nil || code == first {
                (code, isPasted) = (code == nil ? first : nil, isFirst)
                continue
            }
            if code != nil, !isPasted { continue }
            if first == UInt8(ascii: "#") { part = .text }
            isFenced = isFenced || looksLikeFence(text)
            let isCode = text.startIndex - line.startIndex >= 4 && part == .text && !isFenced
            let actual = isFenced ? .fenced : part
            if !isCode, ProtectingLine.isFound(line, actual, groups: groups) {
                return Self(number, line)
            }
        }
        return nil
    }

    /// Whether the line begins with `---`, `+++` or `{`, whatever follows.
    private static func looksLikeFence(_ line: ArraySlice<UInt8>) -> Bool {
        // Most lines begin with a letter, or are items of a list.
        switch line.first ?? 0 {
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            if let second = line.dropFirst().first, second == 32 || second.isLetter {
                return false
            }
        case UInt8(ascii: "{"), UInt8(ascii: "<"), 0x80...: break
        default: return false
        }
        var line = line
        while line.starts(with: "<!--".utf8), let end = line.firstIndex(of: UInt8(ascii: ">")) {
            line = line[(end + 1)...]
        }
        // A byte-order mark in a wrong encoding is letters and marks.
        let isAlien: (UInt8) -> Bool = { $0 == 32 || $0 > 96 && $0 != UInt8(ascii: "{") }
        let visible = FoldedLine(line.prefix(40)).bytes.drop(while: isAlien)
        return ["--", "++", "{"].contains { visible.starts(with: $0.utf8) }
    }

    private init(_ number: Int, _ line: ArraySlice<UInt8>) {
        self.line = number
        let visible = String(decoding: line.prefix(200), as: UTF8.self).unicodeScalars
            .filter { !$0.isInvisible || $0 == " " }
        text = String(String.UnicodeScalarView(visible)).prefix(60).description
    }

    package func diagnostic(_ path: String) -> Diagnostic {
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
