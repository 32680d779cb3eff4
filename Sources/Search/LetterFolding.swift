import UTF8Proc

/// Folds letters as the search compares them: lower case, without the marks that writers may leave
/// out, `ß` as `ss`, the digits of all scripts as those of ASCII.
///
/// Browsers use `toLowerCase` and `normalize` in `search-words.js`; `search-words.tsv` has examples
/// for both, and a test compares the ranges.
struct LetterFolding: Sendable {
    enum Kind: UInt8 {
        /// Ends a word.
        case none
        case lower, upper, digit
        /// A letter without case.
        case letter
        /// Belongs to the letter before it, such as the vowels of Indic scripts.
        case mark
        /// An accent, the points of Hebrew and Arabic, or a character that nobody sees.
        case dropped
        /// Joins the letters before and after it.
        case joint
        /// A character of a script without spaces between words.
        case sign
        /// A sign of which others are made: half of the width, or a compatibility character.
        case foldedSign
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
            var letters: [UInt8] = []
            for letter in Self.fold(scalar) { letters.append(letter) }
            precondition(letters.count <= 8)
            folded.append(letters.reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case ..<Self.known: kinds[Int(scalar.value)]
        // Most of Japanese, Chinese and Korean.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: .sign
        default: Self.kind(asking: scalar)
        }
    }

    func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.value < Self.known {
            var letters = folded[Int(scalar.value)]
            while letters > 0 {
                bytes.append(UInt8(truncatingIfNeeded: letters))
                letters >>= 8
            }
        } else {
            for letter in Self.fold(scalar) { bytes.append(letter) }
        }
    }

    /// Appends a mark to a letter, with which it may become one character, or change its place among
    /// other marks.
    func append(_ mark: Unicode.Scalar, to bytes: inout [UInt8], letter start: Int) {
        let isAmongOthers = bytes.count - start > 4
        if !LetterRanges.composing.contains(mark.value),
            !isAmongOthers || mark.properties.canonicalCombiningClass == .notReordered
        {
            return append(mark, to: &bytes)
        }
        bytes.append(mark)
        // No word is as long, see WordScanner.
        guard bytes.count - start <= 64 else { return }
        let letter = Normalization.composed(Array(bytes[start...]))
        bytes.removeSubrange(start...)
        for scalar in letter { append(scalar, to: &bytes) }
    }

    static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        var letters: [Unicode.Scalar] = []
        for letter in scalar.lowercaseDecomposition {
            if !isDropped(letter) || letters.last.flatMap({ kept[$0] }) == letter {
                letters.append(letter)
            }
        }
        if letters.count > 1 {
            letters = Normalization.composed(letters.flatMap { Array(String($0).utf8) })
        }
        return letters.flatMap { letter in
            if let others = others[letter] { return others }
            guard letter.value >= known, letter.properties.numericType == .decimal,
                let value = letter.properties.numericValue
            else { return [letter] }
            return [Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))]
        }
    }

    /// Letters that have no accent to Unicode, as readers type them, and those that Arabic, Persian,
    /// Yiddish and Hindi write in several ways; `folded` in `search-words.js`.
    private static let others: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
        "ħ": "h", "ŧ": "t", "ı": "i", "ς": "σ", "ٱ": "ا", "ى": "ي", "ی": "ي", "ة": "ه", "ہ": "ه",
        "ە": "ه", "ۃ": "ه", "ک": "ك", "װ": "וו", "ױ": "וי", "ײ": "יי", "ँ": "ं",
    ].mapValues { (text: String) in Array(text.unicodeScalars) }

    /// The letters that are others with the mark, and not the same with an accent: `й`, `ؤ` and `ئ`.
    private static let kept: [Unicode.Scalar: Unicode.Scalar] = [
        "и": "\u{306}", "و": "\u{654}", "ي": "\u{654}",
    ]

    private static func kind(asking scalar: Unicode.Scalar) -> Kind {
        let value = scalar.value
        if LetterRanges.joints.contains(value) { return .joint }
        // An apostrophe, as it is mostly typed.
        if value == 0x2BC { return .none }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return .dropped }
        if isDropped(scalar) { return kept.values.contains(scalar) ? .mark : .dropped }
        switch properties.generalCategory {
        case .lowercaseLetter: return .lower
        case .uppercaseLetter: return .upper
        case .decimalNumber: return .digit
        case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
        default: break
        }
        if !properties.isAlphabetic { return .none }
        if !LetterRanges.signs.contains(value) { return .letter }
        if LetterRanges.syllables.contains(value) { return .mark }
        return LetterRanges.folded.contains(value) ? .foldedSign : .sign
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        LetterRanges.dropped.contains(scalar.value)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
        self += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }
}
