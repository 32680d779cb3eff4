/// Ranges of characters that the search treats alike.
///
/// `search-words.js` has the same ones, but for those that make the index faster.
struct LetterRanges: Sendable {
    let ranges: [ClosedRange<UInt32>]

    private init(_ ranges: ClosedRange<UInt32>...) { self.ranges = ranges }

    /// In the order of the ranges.
    func contains(_ value: UInt32) -> Bool {
        for range in ranges where value <= range.upperBound { return value >= range.lowerBound }
        return false
    }

    /// Blocks of scripts without spaces between words: Thai and Lao, Burmese, Hangul, Khmer, Tai Le
    /// to Tai Tham, Balinese, Japanese, Han, Yi, Javanese, Tai Viet.
    static let signs = LetterRanges(
        0xE00...0xEFF,
        0x1000...0x109F,
        0x1100...0x11FF,
        0x1780...0x17FF,
        0x1950...0x1AAF,
        0x1B00...0x1B7F,
        0x3005...0x31FF,
        0x3400...0xA4CF,
        0xA960...0xA9FF,
        0xAA60...0xAADF,
        0xAC00...0xD7FF,
        0xF900...0xFAFF,
        0xFF66...0xFFDC,
        0x1B000...0x1B16F,
        0x20000...0x3FFFF
    )

    /// For speed: signs that stand for others: half of the width, or for compatibility.
    static let folded = LetterRanges(
        0xE33...0xE33,
        0xEB3...0xEB3,
        0xEDC...0xEDD,
        0x3038...0x303A,
        0x309F...0x309F,
        0x30FF...0x30FF,
        0x3131...0x318E,
        0xF900...0xFFDC,
        0x2F800...0x2FA1F
    )

    /// Letters that continue a syllable of Hangul.
    static let syllables = LetterRanges(0x1160...0x11FF, 0xD7B0...0xD7FF)

    /// For speed: marks that may become one character with the letter before them.
    static let composing = LetterRanges(
        0x306...0x306,
        0x654...0x654,
        0x9BE...0x9BE,
        0x9D7...0x9D7,
        0xB3E...0xB3E,
        0xB56...0xB57,
        0xBBE...0xBBE,
        0xBD7...0xBD7,
        0xC56...0xC56,
        0xCC2...0xCC2,
        0xCD5...0xCD6,
        0xD3E...0xD3E,
        0xD57...0xD57,
        0xDCA...0xDDF,
        0x102E...0x102E,
        0x1160...0x11FF,
        0x1B35...0x1B35,
        0x3099...0x309A,
        0x10000...0x10FFFF
    )

    /// Not in ASCII: the middle dot, hyphens, and the character that parts letters without a space in
    /// Persian.
    static let joints = LetterRanges(
        0xB7...0xB7,
        0x387...0x387,
        0x58A...0x58A,
        0x5BE...0x5BE,
        0x200C...0x200C,
        0x2010...0x2011
    )

    /// Marks that make no difference: accents, the points of Hebrew, Arabic and Syriac, the nukta of
    /// Devanagari; and what stands for sounds that few write, such as the ʻokina.
    static let dropped = LetterRanges(
        0xB7...0xB7,
        0x2B9...0x2BF,
        0x300...0x36F,
        0x483...0x487,
        0x591...0x5BD,
        0x5BF...0x5BF,
        0x5C1...0x5C2,
        0x5C4...0x5C5,
        0x5C7...0x5C7,
        0x610...0x61A,
        0x640...0x640,
        0x64B...0x65F,
        0x670...0x670,
        0x6D6...0x6DC,
        0x6DF...0x6E4,
        0x6E7...0x6E8,
        0x6EA...0x6ED,
        0x711...0x711,
        0x730...0x74A,
        0x897...0x89F,
        0x8CA...0x8E1,
        0x8E3...0x8FF,
        0x93C...0x93C,
        0x1AB0...0x1AFF,
        0x1DC0...0x1DFF,
        0x20D0...0x20F0,
        0xFE20...0xFE2F
    )
}
