/// What the bytes of a line may mean, without regard to the block in which it stands.
///
/// A trait may be there too often, as in code, and never too rarely: stages that look for something
/// pass over lines, or over the whole document, without the trait.
struct LineTraits: OptionSet {
    let rawValue: UInt16

    /// An extension of CommonMark, or syntax of another tool.
    static let extensions = LineTraits(rawValue: 1)
    /// What becomes typographic.
    static let punctuation = LineTraits(rawValue: 2)
    /// `<`.
    static let html = LineTraits(rawValue: 4)
    /// `[`.
    static let bracket = LineTraits(rawValue: 8)
    /// `]:` behind the label of a link.
    static let definition = LineTraits(rawValue: 16)
    /// The mark of a block that libcmark does not know: `[^` or `:::`.
    static let container = LineTraits(rawValue: 32)
    /// A byte that is not ASCII, or NUL.
    static let unusual = LineTraits(rawValue: 64)
    private static let dash = LineTraits(rawValue: 128)
    /// `|` or `:`.
    private static let pipe = LineTraits(rawValue: 256)
    /// A byte that cannot stand in the delimiter row of a table.
    static let words = LineTraits(rawValue: 512)

    /// Whether a line may be the delimiter row of a table behind the marks of quotes.
    var mayBeDelimiterRow: Bool {
        isSuperset(of: [.dash, .pipe]) && isDisjoint(with: .words)
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The traits of one byte; those behind it and before it may stand on other lines.
    init(of text: Span<UInt8>, at index: Int) {
        func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }
        let next = byte(index + 1)
        switch text[index] {
        case .space, .tab, 11, 12, UInt8(ascii: ">"): self = []
        case UInt8(ascii: "|"): self = .pipe
        case UInt8(ascii: "-"):
            self = .dash
            // '-8<-' of a snippet.
            if next == UInt8(ascii: "8") { insert(.extensions) }
            if next == UInt8(ascii: "-") { insert(.punctuation) }
        case UInt8(ascii: ":"):
            self = .pipe
            let before = index > 0 ? text[index - 1] : .newline
            // ': text' may define a term.
            let isTerm =
                next.isSpaceOrTab && (before.isWhitespace || before == UInt8(ascii: ">"))
            let isAddress = next == UInt8(ascii: "/") && byte(index + 2) == next
            if isTerm || isAddress { insert(.extensions) }
            if next == UInt8(ascii: ":"), byte(index + 2) == next {
                formUnion([.extensions, .container])
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
                insert(.extensions)
            }
        case 0, 0x80...: self = [.words, .unusual]
        case let byte:
            self = Self.mayExtend(text, at: index, byte, next) ? [.words, .extensions] : .words
        }
    }

    private static func openBracket(_ text: Span<UInt8>, at index: Int) -> LineTraits {
        func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }
        var traits: LineTraits = [.words, .bracket]
        switch byte(index + 1) {
        case UInt8(ascii: "^"): traits.formUnion([.extensions, .container])
        case UInt8(ascii: "!"), UInt8(ascii: "["): traits.insert(.extensions)
        // '[TOC]'
        case UInt8(ascii: "T"):
            if byte(index + 2) == UInt8(ascii: "O"), byte(index + 4) == UInt8(ascii: "]") {
                traits.insert(.extensions)
            }
        default: break
        }
        // The box of a task, and a marker 'r[name]'.
        if byte(index + 2) == UInt8(ascii: "]") || byte(index - 1) == UInt8(ascii: "r") {
            traits.insert(.extensions)
        }
        return traits
    }

    private static func mayExtend(
        _ text: Span<UInt8>,
        at index: Int,
        _ byte: UInt8,
        _ next: UInt8
    ) -> Bool {
        let third = index + 2 < text.count ? text[index + 2] : 0
        switch byte {
        case UInt8(ascii: "~"), UInt8(ascii: "@"): return true
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return next == byte && third == byte
        case UInt8(ascii: "="):
            if next == byte, third == byte { return true }
            return (next.isDigit || next == UInt8(ascii: "x")) && index > 0
                && text[index - 1] == .space
        case UInt8(ascii: ")"): return next == UInt8(ascii: "=")
        // '&#64;' and '&commat;' are at signs.
        case UInt8(ascii: "&"): return next == UInt8(ascii: "#") || next == UInt8(ascii: "c")
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
        guard index < text.count, text[index] == .space else { return false }
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
