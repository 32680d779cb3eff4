import Bytes

/// What the bytes of a line may mean, without regard to the block in which it stands.
///
/// A trait may be there too often, as in code, and never too rarely: stages that look for something
/// pass over lines, or over the whole document, without the trait.
struct LineTraits: OptionSet {
    private(set) var rawValue: UInt8

    /// Syntax of another tool.
    static let foreign = LineTraits(rawValue: 1)
    /// A byte that is not ASCII, or NUL.
    static let unusual = LineTraits(rawValue: 2)
    /// A mark that may stay text; see ``LiteralMark``.
    static let literalMark = LineTraits(rawValue: 4)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The traits of one byte; those behind it and before it may stand on other lines.
    init(of text: Span<UInt8>, at index: Int) {
        func byte(_ index: Int) -> UInt8 { text.indices.contains(index) ? text[index] : 0 }
        let next = byte(index + 1)
        self = []
        switch text[index] {
        // '##Heading'
        case UInt8(ascii: "#"):
            let isMark = byte(index - 1) == UInt8(ascii: "#") && (next.isLetter || next >= 0x80)
            if isMark { self = .literalMark }
        case 0, 0x80...:
            self = .unusual
            // Where a space begins that is none to Markdown.
            let mayBeSpace = text[index] == 0xC2 ? next == 0xA0 : text[index] >= 0xE1
            if mayBeSpace, LiteralMark.mayStand(in: text, beside: index) { insert(.literalMark) }
        case let byte: if Self.isForeign(text, at: index, byte, next) { self = .foreign }
        }
    }

    private static func isForeign(
        _ text: Span<UInt8>,
        at index: Int,
        _ byte: UInt8,
        _ next: UInt8
    ) -> Bool {
        let third = index + 2 < text.count ? text[index + 2] : 0
        switch byte {
        // '-8<-' of a snippet.
        case UInt8(ascii: "-"): return next == UInt8(ascii: "8")
        case UInt8(ascii: ":"):
            if next == byte, third == byte { return true }
            let before = index > 0 ? text[index - 1] : .newline
            // ': text' may define a term.
            return next.isSpaceOrTab && (before.isWhitespace || before == UInt8(ascii: ">"))
        // '[!NOTE]', '[[Page]]', '[@key]', '[text][name]', and a marker 'r[name]'.
        case UInt8(ascii: "["):
            return "!@[".utf8.contains(next)
                || next == UInt8(ascii: "-") && third == UInt8(ascii: "@")
                || index > 0 && "r]".utf8.contains(text[index - 1])
        case UInt8(ascii: "@"):
            return (65...90).contains(next) && (index == 0 || text[index - 1].isWhitespace)
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="):
            return next == byte && third == byte
        case UInt8(ascii: ")"): return next == UInt8(ascii: "=")
        case UInt8(ascii: "{"): return "{%:#. /*".utf8.contains(next)
        case UInt8(ascii: "%"): return next == byte
        default: return false
        }
    }
}
