import UTF8Proc

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
        // A flag is two narrow letters, a family several wide people.
        return min(2, scalars.reduce(0) { $0 + $1.columns })
    }
}
