/// Estimates how hard a secret is to guess for an attacker who knows how people invent secrets.
///
/// The estimate is cautious, and follows D. Wheeler, "zxcvbn: Low-Budget Password Strength
/// Estimation" (2016): a repetition, a sequence, a run along the keyboard or a common word adds a
/// few bits as a whole; another word adds the bits of one of the 7,776 words of diceware; all other
/// characters add their own bits.
public struct SecretStrength: Sendable {
    /// The strength in bits.
    public let bits: Double
    /// Whether the secret looks like 32 random bytes in hexadecimal or base64, which cannot be
    /// guessed at any speed.
    public let isRandomKey: Bool

    /// The least strength that is accepted: five diceware words.
    ///
    /// Key stretching makes guessing it as slow as guessing 80 bits.
    public static let enough = 64.0
    /// The least estimate for 256 random bits; the estimate is below the true strength.
    static let ofRandomKey = 96.0
    /// Only this many bytes are looked at; more bytes cannot make a secret weaker.
    static let maximumBytes = 256

    public init(of secret: String) {
        let text = Array(secret.utf8.prefix(Self.maximumBytes))
        let estimate = Self.estimate(text)
        bits = estimate
        isRandomKey =
            text.count >= 43 && estimate >= Self.ofRandomKey
            && text.allSatisfy { byte in
                Self.isDigit(byte) || Self.isLetter(byte) || "-_+/=".utf8.contains(byte)
            }
    }

    /// The bits of a text or of its decodings, whichever is less.
    private static func estimate(_ text: [UInt8]) -> Double {
        let decoded = SecretEncoding.decodings(of: text).map { bytes in
            if SecretPatterns.isDigestOfWord(bytes) { return Estimate.bitsOfWord }
            let bits = ByteEstimate(bytes).bits
            return SecretEncoding.isText(bytes) ? min(bits, Estimate(bytes).bits) : bits
        }
        return decoded.reduce(Estimate(text).bits, min)
    }

    fileprivate static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    fileprivate static func isLower(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
    fileprivate static func isUpper(_ byte: UInt8) -> Bool { (65...90).contains(byte) }
    fileprivate static func isLetter(_ byte: UInt8) -> Bool { isLower(byte) || isUpper(byte) }
}

/// Walks through a text, from one known pattern to the next.
private struct Estimate {
    private let text: [UInt8]
    /// The text in lower case, with letters instead of the digits and signs that stand for them.
    private let plain: [UInt8]
    /// For each position, the length and the bits of the longest known pattern that begins there.
    private var known: [(count: Int, bits: Double)] = []
    /// The greatest number of bits of one character, by the number of kinds of characters.
    private let limit: Double

    static let bitsOfWord = 12.9
    private static let bitsOfLetterInWord = 2.4

    init(_ text: [UInt8]) {
        self.text = text
        plain = text.map { SecretStrength.isUpper($0) ? $0 + 32 : $0 }
        limit = Self.logarithm(of: Set(text).count)
        known = plain.indices.map(longestKnown)
    }

    var bits: Double {
        var bits = 0.0
        var index = 0
        while index < plain.count {
            let (count, cost) = piece(at: index)
            bits += min(cost, limit * Double(count))
            index += count
        }
        return bits
    }

    private func piece(at index: Int) -> (count: Int, bits: Double) {
        if known[index].count > 0 { return known[index] }
        let run = letters(around: index)
        if run.count >= 4 || (run.count >= 2 && isDelimited(run)) {
            // A shorter word may begin within the run.
            let end = (index + 1..<run.upperBound).first { known[$0].count > 0 } ?? run.upperBound
            let count = Double(end - index)
            // Twelve letters or more may be several words.
            let words = count < 12 ? Self.bitsOfWord : Self.bitsOfWord * count / 6
            return (end - index, min(count * Self.bitsOfLetterInWord, words))
        }
        let byte = text[index]
        if SecretStrength.isDigit(byte) { return (1, Self.logarithm(of: 10)) }
        if SecretStrength.isLetter(byte) { return (1, Self.logarithm(of: 52)) }
        // The separator between words is chosen once.
        return (1, text[..<index].contains(byte) ? 1 : 4)
    }

    private func longestKnown(at index: Int) -> (count: Int, bits: Double) {
        let things = [
            (repetition(at: index), 4.0), (count(at: index), 5.0), (keyboard(at: index), 6.0),
            (word(at: index), 5.0), (constant(at: index), 6.0),
        ]
        return things.max { $0.0 < $1.0 } ?? (0, 0)
    }

    /// Whether the range is a word on its own; among random characters, few letters stand alone.
    private func isDelimited(_ range: Range<Int>) -> Bool {
        [range.lowerBound - 1, range.upperBound].allSatisfy { index in
            guard text.indices.contains(index) else { return true }
            return !SecretStrength.isLetter(text[index]) && !SecretStrength.isDigit(text[index])
        }
    }

    /// How much of what follows was there before.
    private func repetition(at index: Int) -> Int {
        var longest = 0
        for start in 0..<index {
            var count = 0
            while index + count < plain.count, plain[start + count] == plain[index + count] {
                count += 1
            }
            longest = max(longest, count)
        }
        return longest >= 4 ? longest : 0
    }

    /// The length of the sequence from `index` that counts up or down or repeats: 'abc', '987',
    /// 'xxx'.
    private func count(at index: Int) -> Int {
        guard index + 2 < plain.count else { return 0 }
        let step = Int(plain[index + 1]) - Int(plain[index])
        guard (-1...1).contains(step) else { return 0 }
        var end = index + 1
        while end + 1 < plain.count, Int(plain[end + 1]) - Int(plain[end]) == step { end += 1 }
        return end - index >= 2 ? end - index + 1 : 0
    }

    private func keyboard(at index: Int) -> Int {
        let lengths = (SecretPatterns.neighbours[plain[index]] ?? []).map { row in
            zip(row, plain[index...]).prefix { $0 == $1 }.count
        }
        return lengths.max().flatMap { $0 >= 4 ? $0 : nil } ?? 0
    }

    /// The number of digits of a known constant that begin at `index`, from any position of the
    /// constant.
    private func constant(at index: Int) -> Int {
        let rest = plain[index...]
        let shortest = 8
        guard rest.prefix(shortest).allSatisfy(SecretStrength.isDigit) else { return 0 }
        let lengths = SecretPatterns.constants.flatMap { digits in
            digits.indices.map { start in
                zip(digits[start...], rest).prefix { $0 == $1 }.count
            }
        }
        return lengths.max().flatMap { $0 >= shortest ? $0 : nil } ?? 0
    }

    /// The length of the common word at `index`, also if it has '0' for 'o'.
    private func word(at index: Int) -> Int {
        let first = SecretPatterns.letters[plain[index]] ?? plain[index]
        guard let words = SecretPatterns.commonWords[first] else { return 0 }
        let meant = plain[index...].prefix(SecretPatterns.longestWord).map {
            SecretPatterns.letters[$0] ?? $0
        }
        return words.filter { meant.starts(with: $0) }.map(\.count).max() ?? 0
    }

    /// The letters around a position that belong to one word by their case: all equal, or a capital
    /// first.
    private func letters(around index: Int) -> Range<Int> {
        guard SecretStrength.isLetter(text[index]) else { return index..<index }
        func isLower(_ place: Int) -> Bool? {
            guard text.indices.contains(place), SecretStrength.isLetter(text[place]) else {
                return nil
            }
            return SecretStrength.isLower(text[place])
        }
        var start = index
        let isCapital = isLower(index) == false && isLower(index + 1) == true
        let rest = isCapital ? true : isLower(index)
        var end = index + 1
        while isLower(end) == rest { end += 1 }
        if isCapital { return start..<end }
        while isLower(start - 1) == rest { start -= 1 }
        if rest == true, isLower(start - 1) == false { start -= 1 }
        return start..<end
    }

    /// The binary logarithm, linear between powers of two.
    private static func logarithm(of count: Int) -> Double {
        guard count > 1 else { return 0 }
        let whole = Int.bitWidth - 1 - count.leadingZeroBitCount
        return Double(whole) + Double(count) / Double(1 << whole) - 1
    }
}
