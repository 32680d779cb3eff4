import Bytes

/// A mark of Markdown that stays text, because the space beside it is none to Markdown, or missing.
///
/// Option+Space on a Mac, word processors and web pages make no-break spaces.
struct LiteralMark {
    let mark: String
    /// The code point of the space; 0 where there is none.
    let space: Int
    /// In bytes from the beginning of the line.
    let offset: Int

    /// - Parameters:
    ///   - line: of a paragraph.
    ///   - start: of its text.
    ///   - isFirst: whether the paragraph begins with it.
    init?(in source: SourceText, _ line: Range<Int>, from start: Int, isFirst: Bool) {
        let bytes = source.bytes
        let text = bytes.span.extracting(0..<line.upperBound)
        var (position, space) = Self.skip(text, from: start)
        let opener = start > line.lowerBound ? text[start - 1] : 0
        var offset = start
        if space == 0 || opener != UInt8(ascii: ">") {
            guard let end = Self.endOfMark(text, position, isFirst: isFirst) else { return nil }
            let first = text[position]
            let isBox = first == UInt8(ascii: "[")
            if isBox {
                let before = bytes[line.lowerBound..<start].last { !$0.isSpaceOrTab } ?? 0
                guard isFirst, "-+*.)".utf8.contains(before) else { return nil }
                if let inner = Self.space(text, at: position + 1) { space = inner.value }
            }
            mark = String(decoding: bytes[position..<end], as: UTF8.self)
            let next = end < text.count ? text[end] : .space
            if let found = Self.space(text, at: end), !"`~>".utf8.contains(first) {
                (space, offset) = (found.value, end)
            } else if "`~>[".utf8.contains(first) || next.isSpaceOrTab {
                if space == 0 { return nil }
            } else {
                let isHeading = mark.utf8.count > 1 && first == UInt8(ascii: "#")
                guard isHeading, next.isLetter || next >= 0x80 else { return nil }
            }
        } else {
            mark = ">"
            position = start
        }
        self.space = space
        self.offset = offset - line.lowerBound
    }

    /// A fence that does not end its block of code.
    init?(endOfCode source: SourceText, _ line: Range<Int>) {
        let bytes = source.bytes
        let text = bytes.span.extracting(0..<line.upperBound)
        let start = source.contentStart(line)
        let (position, before) = Self.skip(text, from: start)
        guard let end = Self.endOfMark(text, position, isFirst: false),
            "`~".utf8.contains(text[position])
        else { return nil }
        let (last, behind) = Self.skip(text, from: end)
        guard last == text.count, before + behind > 0 else { return nil }
        mark = String(decoding: bytes[position..<end], as: UTF8.self)
        space = before > 0 ? before : behind
        offset = (before > 0 ? start : end) - line.lowerBound
    }

    /// Where a mark ends that begins a block or a task.
    private static func endOfMark(_ text: Span<UInt8>, _ start: Int, isFirst: Bool) -> Int? {
        func run(_ byte: UInt8) -> Int {
            var end = start
            while end < text.count, text[end] == byte { end += 1 }
            return end
        }
        guard start < text.count else { return nil }
        switch text[start] {
        case UInt8(ascii: "#"):
            let end = run(UInt8(ascii: "#"))
            return end - start <= 6 ? end : nil
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ">"):
            return start + 1
        case UInt8(ascii: "`"), UInt8(ascii: "~"):
            let end = run(text[start])
            return end - start >= 3 ? end : nil
        case UInt8(ascii: "["):
            let inner = space(text, at: start + 1)?.end ?? start + 2
            guard inner < text.count, text[inner] == UInt8(ascii: "]"),
                inner > start + 2 || " xX".utf8.contains(text[start + 1])
            else { return nil }
            return inner + 1
        default:
            var end = start
            while end < text.count, text[end].isDigit { end += 1 }
            // A date such as '24. December' may begin another line of a paragraph.
            guard (1...(isFirst ? 9 : 1)).contains(end - start), end < text.count,
                ".)".utf8.contains(text[end])
            else { return nil }
            return end + 1
        }
    }

    /// Passes over white space of all kinds.
    ///
    /// - Returns: also the last one that is none to Markdown, or 0.
    private static func skip(_ text: Span<UInt8>, from start: Int) -> (end: Int, space: Int) {
        var position = start
        var last = 0
        while position < text.count {
            if text[position].isSpaceOrTab {
                position += 1
            } else if let found = space(text, at: position) {
                (position, last) = (found.end, found.value)
            } else {
                break
            }
        }
        return (position, last)
    }

    /// The space at a position that is none to Markdown: its code point, and where it ends.
    static func space(_ text: Span<UInt8>, at start: Int) -> (value: Int, end: Int)? {
        func byte(_ offset: Int) -> Int {
            start + offset < text.count ? Int(text[start + offset]) : 0
        }
        switch byte(0) {
        case 0xC2: return byte(1) == 0xA0 ? (0xA0, start + 2) : nil
        case 0xE1, 0xE2, 0xE3, 0xEF:
            let value = (byte(0) & 15) << 12 | (byte(1) & 63) << 6 | byte(2) & 63
            switch value {
            case 0x1680, 0x180E, 0x2000...0x200B, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF:
                return (value, start + 3)
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether a line may have such a mark: where a space of that kind stands beside one, or at the
    /// beginning of a line.
    static func mayStand(in text: Span<UInt8>, beside index: Int) -> Bool {
        guard space(text, at: index) != nil else { return false }
        if index == 0 { return true }
        let before = text[index - 1]
        return before.isWhitespace || "#-*+.)>[]`~".utf8.contains(before)
    }
}
