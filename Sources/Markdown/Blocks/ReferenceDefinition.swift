/// Link reference definitions at the start of a paragraph (CommonMark 0.30, section 4.7).
///
/// libcmark removes them from the paragraph, and does not tell how many bytes they took.
enum ReferenceDefinition {
    /// Where the text after the definitions begins.
    static func end(of text: [UInt8]) -> Int {
        // libcmark's paragraphs end with a line end, and a destination has to end before it.
        let lines = text + [.newline]
        var position = 0
        while position < text.count, text[position] == UInt8(ascii: "["),
            let next = definition(lines, position)
        {
            position = next
        }
        return min(position, text.count)
    }

    private static func definition(_ text: [UInt8], _ start: Int) -> Int? {
        guard let label = LinkLabels.label(text, at: start), !label.text.isEmpty,
            label.end < text.count, text[label.end] == UInt8(ascii: ":")
        else { return nil }
        var scan = skipLine(text, label.end + 1)
        guard let destination = LinkDestination.scan(text, at: scan) else { return nil }
        let afterDestination = destination.end
        scan = skipLine(text, afterDestination)
        if scan > afterDestination, let end = endOfTitle(text, scan),
            let lineEnd = endOfLine(text, end)
        {
            return lineEnd
        }
        return endOfLine(text, afterDestination)
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
