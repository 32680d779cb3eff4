import Bytes
import HTML

/// The definition of a reference link at the start of a paragraph (CommonMark 0.30, section 4.7).
struct ReferenceDefinition {
    let label: ArraySlice<UInt8>
    let target: LinkLabels.Target
    let range: Range<Int>

    /// The definitions that a text begins with, and where the text behind them begins.
    ///
    /// - Parameter readsTags: whether a tag of another tool may be the destination.
    static func all(
        in text: [UInt8],
        readsTags: Bool
    ) -> (definitions: [ReferenceDefinition], end: Int) {
        // A destination has to end before a line end.
        let lines = text + [.newline]
        var definitions: [ReferenceDefinition] = []
        var position = 0
        while position < text.count, text[position] == UInt8(ascii: "["),
            let next = ReferenceDefinition(lines, position, readsTags)
        {
            definitions.append(next)
            position = next.range.upperBound
        }
        return (definitions, min(position, text.count))
    }

    private init?(_ text: [UInt8], _ start: Int, _ readsTags: Bool) {
        guard let label = LinkLabels.label(text, at: start), !label.text.isEmpty,
            label.end < text.count, text[label.end] == UInt8(ascii: ":")
        else { return nil }
        var scan = Self.skipLine(text, label.end + 1)
        let tag = readsTags ? TemplateAddress.scan(text, at: scan) : nil
        guard let destination = LinkDestination.scan(text, at: scan, behind: tag?.end) else {
            return nil
        }
        let afterDestination = destination.end
        scan = Self.skipLine(text, afterDestination)
        var title = ""
        var end = Self.endOfLine(text, afterDestination)
        if scan > afterDestination, let endOfTitle = Self.endOfTitle(text, scan),
            let lineEnd = Self.endOfLine(text, endOfTitle)
        {
            title = CharacterReference.resolved(text[scan + 1..<endOfTitle - 1], escapes: true)
            end = lineEnd
        }
        guard let end else { return nil }
        self.label = label.text
        let url =
            (tag?.address ?? "") + CharacterReference.resolved(destination.text, escapes: true)
        target = LinkLabels.Target(destination: url, title: title)
        range = start..<end
    }

    /// Skips spaces and at most one line end.
    private static func skipLine(_ text: [UInt8], _ start: Int) -> Int {
        var scan = start
        var hasLineEnd = false
        while scan < text.count, text[scan].isSpaceOrTab || text[scan] == .newline && !hasLineEnd {
            if text[scan] == .newline { hasLineEnd = true }
            scan += 1
        }
        return scan
    }

    private static func endOfTitle(_ text: [UInt8], _ start: Int) -> Int? {
        guard start < text.count, "\"'(".utf8.contains(text[start]) else { return nil }
        let open = text[start]
        let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : open
        // As libcmark has it: an escaped end is one if no other follows.
        var escaped: Int?
        for scan in text.indices[(start + 1)...] {
            let isEscaped = scan > start + 1 && text[scan - 1] == UInt8(ascii: "\\")
            if text[scan] == close {
                if !isEscaped { return scan + 1 }
                escaped = scan + 1
            } else if text[scan] == open, !isEscaped {
                return nil
            }
        }
        return escaped
    }

    /// The start of the next line, if nothing else stands on this one.
    private static func endOfLine(_ text: [UInt8], _ start: Int) -> Int? {
        var scan = start
        while scan < text.count, text[scan].isSpaceOrTab { scan += 1 }
        if scan == text.count { return scan }
        return text[scan] == .newline ? scan + 1 : nil
    }
}
