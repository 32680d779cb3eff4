import UTF8Proc

/// Folds letters as the search compares them: lower case, without accents, `ß` as `ss`.
///
/// Browsers use `toLowerCase` and `normalize` in `search-words.js`; `search-words.tsv` has examples
/// for both. One difference is left: here each character is folded by itself, so a letter that is
/// written as two characters, neither of them an accent, stays two.
struct LetterFolding: Sendable {
    enum Kind: UInt8 {
        /// Ends a word.
        case none
        case lower, upper, digit
        /// A letter without case, or a sign that belongs to the letter before it.
        case letter
        /// A combining accent or a soft hyphen, which is ignored.
        case dropped
        /// A character of a script without spaces between words.
        case ideograph
    }

    static let shared = LetterFolding()

    /// Letters below this are looked up once, because Unicode properties are slow.
    private static let known: UInt32 = 0x530
    private var kinds: [Kind] = []
    /// At most eight bytes each, the first one lowest; zero for letters that are ignored.
    private var folded: [UInt64] = []

    private init() {
        for value in 0..<Self.known {
            let scalar = Unicode.Scalar(value) ?? "\u{0}"
            kinds.append(Self.kind(asking: scalar))
            let letters = Self.fold(asking: scalar)
            precondition(letters.count <= 8)
            folded.append(letters.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    func kind(of scalar: Unicode.Scalar) -> Kind {
        scalar.value < Self.known ? kinds[Int(scalar.value)] : Self.kind(asking: scalar)
    }

    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.value < Self.known {
            var letters = folded[Int(scalar.value)]
            while letters > 0 {
                bytes.append(UInt8(truncatingIfNeeded: letters))
                letters >>= 8
            }
        } else {
            bytes += Self.fold(asking: scalar)
        }
    }

    private static func fold(asking scalar: Unicode.Scalar) -> [UInt8] {
        let letters = scalar.lowercaseDecomposition.filter { !isDropped($0) }
        let composed = letters.count > 1 ? Normalization.composed(letters) : letters
        return composed.flatMap { letter -> [UInt8] in
            if let known = undecomposed[letter] { return known }
            return Array(UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Letters that have no accent to Unicode, as readers type them; `folded` in `search-words.js`.
    private static let undecomposed: [Unicode.Scalar: [UInt8]] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
        "ħ": "h", "ŧ": "t", "ı": "i", "ς": "σ",
    ].mapValues { (text: String) in Array(text.utf8) }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        (0x300...0x36F).contains(scalar.value) || scalar.value == 0xAD
    }

    private static func kind(asking scalar: Unicode.Scalar) -> Kind {
        if isDropped(scalar) { return .dropped }
        if isIdeograph(scalar.value) { return .ideograph }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter: .lower
        case .uppercaseLetter: .upper
        case .decimalNumber: .digit
        case .nonspacingMark, .spacingMark, .enclosingMark: .letter
        default: scalar.properties.isAlphabetic ? .letter : .none
        }
    }

    /// Han, Hiragana, Katakana and Hangul.
    private static func isIdeograph(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x3005: false
        case 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3134F:
            true
        default: false
        }
    }
}
