/// What the bytes of a line may mean, without regard to the block in which it stands.
///
/// A trait may be there too often, as in code, and never too rarely: stages that look for something
/// pass over lines, or over the whole document, without the trait.
struct LineTraits: OptionSet {
    let rawValue: UInt16

    /// An extension of CommonMark.
    static let extensions = LineTraits(rawValue: 1)
    /// Syntax of another tool.
    static let foreign = LineTraits(rawValue: 1024)
    /// What becomes typographic.
    static let punctuation = LineTraits(rawValue: 2)
    /// `<`.
    static let html = LineTraits(rawValue: 4)
    /// `[`.
    static let bracket = LineTraits(rawValue: 8)
    /// `]:` behind the label of a link.
    static let definition = LineTraits(rawValue: 16)
    /// The mark of a block that libcmark does not know: `[^`, `:::`, `$$`, `!!!` and the like.
    static let container = LineTraits(rawValue: 32)
    /// A byte that is not ASCII, or NUL.
    static let unusual = LineTraits(rawValue: 64)
    private static let dash = LineTraits(rawValue: 128)
    /// `|` or `:`.
    private static let pipe = LineTraits(rawValue: 256)
    /// A mark that may stay text; see ``LiteralMark``.
    static let literalMark = LineTraits(rawValue: 2048)
    /// A byte that cannot stand in the delimiter row of a table.
    static let words = LineTraits(rawValue: 512)

    /// Whether a line may be the delimiter row of a table behind the marks of quotes.
    var mayBeDelimiterRow: Bool {
        isSuperset(of: [.dash, .pipe]) && isDisjoint(with: .words)
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The traits of a line that stands in no text.
    init(of line: [UInt8]) {
        self = []
        for index in line.indices { formUnion(LineTraits(of: line.span, at: index)) }
    }

    /// How many of eight bytes, from the first one on, are letters or spaces, and whether there are
    /// letters among them.
    @inline(__always)
    static func leadingWords(_ word: UInt64) -> (count: Int, hasLetters: Bool) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones &* 0x80
        // Seven bits of each byte, so that no sum reaches the next byte; capitals made small.
        let small = (word | ones &* 0x20) & ~high
        let letters = (small &+ ones &* 0x1F) & ~(small &+ ones &* 0x05) & ~word & high
        let others = word ^ ones &* 0x20
        let spaces = ~((others & ~high) &+ ones &* 0x7F | others) & high
        let rest = ~(letters | spaces) & high
        let count = rest.trailingZeroBitCount / 8
        let taken = count == 8 ? letters : letters & ((1 << UInt64(count * 8)) &- 1)
        return (count, taken != 0)
    }

    /// The traits of one byte; those behind it and before it may stand on other lines.
    init(of text: Span<UInt8>, at index: Int) {
        func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }
        let next = byte(index + 1)
        switch text[index] {
        case .space, .tab, 11, 12, UInt8(ascii: ">"): self = []
        case UInt8(ascii: "|"): self = next.isDigit ? [.pipe, .extensions] : .pipe
        case UInt8(ascii: "-"):
            self = .dash
            // '-8<-' of a snippet.
            if next == UInt8(ascii: "8") { insert(.foreign) }
            if next == UInt8(ascii: "-") { insert(.punctuation) }
        case UInt8(ascii: ":"):
            self = .pipe
            let before = index > 0 ? text[index - 1] : .newline
            // ': text' may define a term.
            let isTerm =
                next.isSpaceOrTab && (before.isWhitespace || before == UInt8(ascii: ">"))
            let isAddress = next == UInt8(ascii: "/") && byte(index + 2) == next
            if isTerm { formUnion([.foreign, .container]) }
            if isAddress { insert(.extensions) }
            if EmojiCode.end(in: text, at: index) != nil { insert(.foreign) }
            if next == UInt8(ascii: ":"), byte(index + 2) == next {
                formUnion([.foreign, .container])
            }
        case UInt8(ascii: "<"): self = [.words, .html]
        case UInt8(ascii: "'"), UInt8(ascii: "\""): self = [.words, .punctuation]
        case UInt8(ascii: "."):
            self = next == UInt8(ascii: ".") ? [.words, .punctuation] : .words
            let w = UInt8(ascii: "w")
            if byte(index - 1) == w, byte(index - 2) == w, byte(index - 3) == w {
                insert(.extensions)
            }
        case UInt8(ascii: "["): self = Self.openBracket(text, at: index)
        case UInt8(ascii: "]"):
            self = .words
            if next == UInt8(ascii: ":"), !Self.endsFootnoteLabel(text, at: index) {
                insert(.definition)
            }
            if next == UInt8(ascii: "("), Self.hasSpace(text, from: index + 2) {
                insert(.foreign)
            }
        // '&#64;' and '&commat;' are at signs.
        case UInt8(ascii: "&"):
            let isEntity = next == UInt8(ascii: "#") || next == UInt8(ascii: "c")
            self = isEntity ? [.words, .extensions] : .words
        case UInt8(ascii: "~"), UInt8(ascii: "@"): self = [.words, .extensions]
        // '*[HR]: Human Resources'
        case UInt8(ascii: "*"):
            self = Self.hasOwnFlanking(text, at: index) ? [.words, .extensions] : .words
            if next == UInt8(ascii: "[") { insert(.container) }
        case UInt8(ascii: "+"): self = next == UInt8(ascii: "+") ? [.words, .extensions] : .words
        case UInt8(ascii: "$"):
            self =
                next == UInt8(ascii: "$")
                ? [.words, .extensions, .container] : [.words, .extensions]
        // '##Heading'
        case UInt8(ascii: "#"):
            let isMark = byte(index - 1) == UInt8(ascii: "#") && (next.isLetter || next >= 0x80)
            self = isMark ? [.words, .literalMark] : .words
        case 0, 0x80...:
            self = [.words, .unusual]
            // Where a space begins that is none to Markdown.
            let mayBeSpace = text[index] == 0xC2 ? next == 0xA0 : text[index] >= 0xE1
            if mayBeSpace, LiteralMark.mayStand(in: text, beside: index) { insert(.literalMark) }
        case let byte:
            self = Self.isForeign(text, at: index, byte, next) ? [.words, .foreign] : .words
            // '!!!', '???', '===' and '{%' may begin a block.
            let isBlockMark = next == byte || next == UInt8(ascii: "%")
            if isBlockMark, "!?={".utf8.contains(byte) { insert(.container) }
            // '==marked==', and '{width=300}' behind an image.
            let isEquals = byte == UInt8(ascii: "=") && next == byte
            if isEquals || byte == UInt8(ascii: ")") && next == UInt8(ascii: "{") {
                insert(.extensions)
            }
        }
    }

    /// Whether `*` stands between punctuation and a character that is not ASCII: beside ideographs
    /// emphasis has rules of its own.
    private static func hasOwnFlanking(_ text: Span<UInt8>, at start: Int) -> Bool {
        guard start > 0, text[start - 1] != text[start] else { return false }
        var end = start + 1
        while end < text.count, text[end] == text[start] { end += 1 }
        let before = text[start - 1]
        guard end < text.count, !before.isWhitespace, !text[end].isWhitespace else { return false }
        if before < 0x80, text[end] < 0x80 { return false }
        var first = start - 1
        while first > 0, text[first] >> 6 == 2 { first -= 1 }
        return mayBePunctuation(text, at: first) || mayBePunctuation(text, at: end)
    }

    /// Of other characters than those of ASCII, most ideographs, hiragana and Hangul are known to be none.
    private static func mayBePunctuation(_ text: Span<UInt8>, at index: Int) -> Bool {
        switch text[index] {
        case 0..<0x80: return text[index].isPunctuation
        case 0xE3 where index + 1 < text.count: return text[index + 1] != 0x81
        case 0xE4...0xE9, 0xEB...0xED: return false
        default: return true
        }
    }

    private static func openBracket(_ text: Span<UInt8>, at index: Int) -> LineTraits {
        func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }
        var traits: LineTraits = [.words, .bracket]
        switch byte(index + 1) {
        case UInt8(ascii: "^"): traits.formUnion([.extensions, .container])
        case UInt8(ascii: "!"): traits.formUnion([.extensions, .foreign])
        case UInt8(ascii: "["): traits.formUnion([.extensions, .foreign])
        // '[TOC]'
        case UInt8(ascii: "T"):
            if byte(index + 2) == UInt8(ascii: "O"), byte(index + 4) == UInt8(ascii: "]") {
                traits.insert(.extensions)
            }
        default: break
        }
        // The box of a task.
        if byte(index + 2) == UInt8(ascii: "]") { traits.insert(.extensions) }
        // A marker 'r[name]'.
        if byte(index - 1) == UInt8(ascii: "r") { traits.insert(.foreign) }
        return traits
    }

    private static func isForeign(
        _ text: Span<UInt8>,
        at index: Int,
        _ byte: UInt8,
        _ next: UInt8
    ) -> Bool {
        let third = index + 2 < text.count ? text[index + 2] : 0
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return next == byte && third == byte
        case UInt8(ascii: "="):
            if next == byte, third == byte { return true }
            return (next.isDigit || "x%".utf8.contains(next)) && index > 0
                && text[index - 1] == .space
        case UInt8(ascii: ")"): return next == UInt8(ascii: "=")
        case UInt8(ascii: "{"): return "{%:#. /".utf8.contains(next)
        case UInt8(ascii: "%"): return next == byte
        default: return false
        }
    }

    /// Whether the address at `start` has a space that no title follows.
    private static func hasSpace(_ text: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        while index < text.count, text[index] > .space, text[index] != UInt8(ascii: ")"),
            text[index] != UInt8(ascii: "]")
        {
            index += 1
        }
        guard index < text.count, text[index].isSpaceOrTab else { return false }
        return index + 1 == text.count || !"\"')".utf8.contains(text[index + 1])
    }

    /// Whether `]` ends `[^label`; where the start is not certain, it does not.
    private static func endsFootnoteLabel(_ text: Span<UInt8>, at end: Int) -> Bool {
        var start = end - 1
        while start >= 0, text[start] != UInt8(ascii: "["), text[start] != UInt8(ascii: "]"),
            !text[start].isWhitespace
        {
            start -= 1
        }
        guard start >= 0, end - start > 2, text[start] == UInt8(ascii: "["),
            text[start + 1] == UInt8(ascii: "^")
        else { return false }
        return start == 0 || text[start - 1] != UInt8(ascii: "\\")
    }
}
