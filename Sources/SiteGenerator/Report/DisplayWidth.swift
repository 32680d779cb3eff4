/// The width of a character in columns of a terminal.
///
/// glibc has `wcwidth`, but Swift's `Glibc` module does not import it, and it depends on the
/// locale.
enum DisplayWidth {
    /// 0 for combining characters, 2 for wide ones.
    static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        // U+FE0F selects the emoji form of a character, which is wide.
        if scalars.contains("\u{FE0F}") { return 2 }
        return scalars.map(width).max() ?? 1
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.properties.isEmojiPresentation { return 2 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(scalar.value) ? 2 : 1
        }
    }

    /// The blocks that are wide or full-width (Unicode Standard Annex 11), without emoji.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FB, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
