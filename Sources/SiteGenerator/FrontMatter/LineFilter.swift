/// A quick filter before ``ProtectingLine``: every page has up to a hundred lines to check, and
/// nearly none needs the closer look.
enum LineFilter {
    /// Whether the line may look like a key that protects the page.
    static func mayHaveKey(
        _ file: Span<UInt8>,
        _ range: Range<Int>,
        _ part: ProtectingLine.Part
    ) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, !isWord(file[index]) || file[index] == 0x2D { index += 1 }
        let start = index
        var letters = 0
        word: while index < range.upperBound {
            switch file[index] {
            case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "e"), UInt8(ascii: "s"),
                UInt8(ascii: "A"), UInt8(ascii: "C"), UInt8(ascii: "E"), UInt8(ascii: "S"):
                letters += 1
            case 0x80...0xFF: return mayHaveMark(file, range, part)
            case 0x2D, 0x41...0x5A, 0x5F, 0x61...0x7A: break
            default: break word
            }
            index += 1
        }
        let count = index - start
        // In other parts only `access` and its misspellings count.
        let isNear = (5...8).contains(count) && letters > 2
        if isNear || ((part == .top || part == .fenced) && count < 25) {
            for next in index..<min(index + 8, range.upperBound)
            where isMark(file[next], orOther: UInt8(ascii: "[")) {
                return true
            }
        }
        var end = range.lowerBound
        while let next = endOfAccess(file, from: end, to: range.upperBound) {
            end = next
            if part == .fenced { return true }
            for next in end..<min(end + 6, range.upperBound)
            where file[next] == 0x26 || isMark(file[next], orOther: UInt8(ascii: "|")) {
                return true
            }
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2D, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...0xFF: true
        default: false
        }
    }

    /// Whether a byte is a colon, an equals sign, another mark, or part of what may be one of them.
    private static func isMark(_ byte: UInt8, orOther other: UInt8) -> Bool {
        byte == 0x3A || byte == 0x3D || byte == other || byte >= 0x80
    }

    /// Whether a line has a mark that can follow a key, in ASCII, as a reference such as `&#58;`, or
    /// as a fullwidth form, whose first byte is 0xEF.
    ///
    /// Only next to a fence a key counts without a mark.
    private static func mayHaveMark(
        _ file: Span<UInt8>,
        _ range: Range<Int>,
        _ part: ProtectingLine.Part
    ) -> Bool {
        if part == .fenced { return true }
        for index in range {
            switch file[index] {
            case 0x26, 0x3A, 0x3D, 0x5B, 0x7C, 0xEF: return true
            default: continue
            }
        }
        return false
    }

    /// The end of the first `access`, in upper or lower case (Boyer, Moore and Horspool: the last
    /// byte of the six says how far the next word can be).
    static func endOfAccess(_ text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        var last = start + 5
        while last < end {
            switch text[last] | 0x20 {
            case 0x73:
                if text[last - 1] | 0x20 == 0x73, text[last - 2] | 0x20 == 0x65,
                    text[last - 3] | 0x20 == 0x63, text[last - 4] | 0x20 == 0x63,
                    text[last - 5] | 0x20 == 0x61
                {
                    return last + 1
                }
                last += 1
            case 0x65: last += 2
            case 0x63: last += 3
            case 0x61: last += 5
            default: last += 6
            }
        }
        return nil
    }
}
