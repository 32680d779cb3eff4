/// What stands around a run of delimiters (CommonMark 0.30, section 6.2).
struct Flanking {
    let isLeft: Bool
    let isRight: Bool
    let isAfterPunctuation: Bool
    let isBeforePunctuation: Bool

    init(before: Unicode.Scalar, after: Unicode.Scalar) {
        isAfterPunctuation = Self.isPunctuation(before)
        isBeforePunctuation = Self.isPunctuation(after)
        let isAfterSpace = Self.isSpace(before)
        let isBeforeSpace = Self.isSpace(after)
        isLeft = !isBeforeSpace && (!isBeforePunctuation || isAfterSpace || isAfterPunctuation)
        isRight = !isAfterSpace && (!isAfterPunctuation || isBeforeSpace || isBeforePunctuation)
    }

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
