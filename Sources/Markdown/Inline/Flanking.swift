import Bytes

/// What stands around a run of delimiters (CommonMark 0.30, section 6.2).
struct Flanking {
    let isLeft: Bool
    let isRight: Bool
    let isAfterPunctuation: Bool
    let isBeforePunctuation: Bool
    /// Whether the run opens and closes emphasis beside Chinese, Japanese and Korean: their writers
    /// put no spaces around it, so that `**「…」**` would stay text.
    ///
    /// markdown-it-cjk-friendly, which VitePress has, and Markdig have the same rules. They leave
    /// `_` alone.
    let opensBesideCJK: Bool
    let closesBesideCJK: Bool

    init(before: Unicode.Scalar, after: Unicode.Scalar) {
        isAfterPunctuation = Self.isPunctuation(before)
        isBeforePunctuation = Self.isPunctuation(after)
        let isAfterSpace = Self.isSpace(before)
        let isBeforeSpace = Self.isSpace(after)
        isLeft = !isBeforeSpace && (!isBeforePunctuation || isAfterSpace || isAfterPunctuation)
        isRight = !isAfterSpace && (!isAfterPunctuation || isBeforeSpace || isBeforePunctuation)
        let isBesideCJK = Self.isCJK(before) || Self.isCJK(after)
        opensBesideCJK = isLeft || isBesideCJK && !isBeforeSpace
        closesBesideCJK = isRight || isBesideCJK && !isAfterSpace
    }

    /// Whether a character is as wide as an ideograph, or part of one, and no emoji; or is Hangul.
    private static func isCJK(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        return wide.contains { $0.contains(scalar.value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x11FF, 0x20A9...0x20A9, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F,
        0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFFEE, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
        0x1D300...0x1D37F, 0x1F200...0x1F200, 0x1F210...0x1F219, 0x1F21B...0x1F22E,
        0x1F230...0x1F231, 0x1F237...0x1F237, 0x1F23B...0x1F24F, 0x20000...0x3FFFD,
        // Of an ideograph's variants.
        0xE0100...0xE01EF,
    ]

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10, 12, 13, 32, 160, 5760, 8192...8202, 8239, 8287, 12288: true
        default: false
        }
    }

    static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 128 { return UInt8(scalar.value).isPunctuation }
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation, .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }
}
