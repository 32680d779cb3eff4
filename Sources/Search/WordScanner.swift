import Bytes

/// Receives the words of a text, one after the other.
protocol WordSink: Sendable {
    mutating func take(_ text: Span<UInt8>, _ word: Range<Int>)
}

/// Splits a text into words as the search knows them: folded, in UTF-8.
///
/// A word is a run of letters and digits. A word with joints, such as `max_body-size` or
/// `getUserName`, is indexed as a whole without the joints, and by its parts; each name between dots or
/// slashes is a whole, too, such as `getDBDriver` of `DBConfig.getDBDriver`. An option such as
/// `--as` is also indexed with its dashes, because without them it may be a common word. Scripts without
/// spaces between words are split into pairs of neighbouring characters, each with its marks, and the
/// last character of a run by itself, so that each single character begins an entry.
/// `search-words.js` does the same.
struct WordScanner<Sink: WordSink>: Sendable {
    var sink: Sink
    private let classes = WordScannerClass.ofASCII
    /// The current word.
    private var word: [UInt8] = []
    /// The beginnings of its second and later parts.
    private var parts: [Int] = []
    /// The beginnings of the names behind dots and slashes.
    private var names: [Int] = []
    /// Whether the joint before the next letter is a dot or a slash.
    private var endsName = false
    private var lastKind = LetterFolding.Kind.none
    private var lastStart = 0
    private var capitals = 0
    private var isAtJoint = false
    /// How many dashes stand before a position, without a word before them.
    private var dashes = 0
    private var dashesEnd = -1
    /// Whether the current word is an option, with two dashes.
    private var isOption = false
    /// The current character of a script without spaces, and the one before it.
    private var signs: [UInt8] = []
    /// Where the current one begins.
    private var lastSign = 0

    /// In bytes; longer runs are keys or digests, not words.
    private static var longestWord: Int { 48 }

    init(_ sink: Sink) { self.sink = sink }

    /// Reads a whole text.
    mutating func scan(_ text: String) {
        let bytes = text.utf8.span
        var position = 0
        while position < bytes.count { position = scan(bytes, from: position) + 1 }
        end()
    }

    /// Reads text up to the next `<` or `&`, and returns that position, or the end.
    mutating func scan(_ text: Span<UInt8>, from start: Int) -> Int {
        let table = classes
        let classes = table.span
        var position = start
        dashesEnd = -1
        while position < text.count {
            let byte = text[position]
            switch classes[Int(byte)] {
            case .lower:
                let end = text.endOfLowercase(from: position + 1)
                let hasDashes = position == dashesEnd && dashes == 2
                // The common case: a word of lower-case letters only.
                if word.isEmpty, signs.isEmpty, !hasDashes, end < text.count,
                    classes[Int(text[end])] == .none
                {
                    if end - position <= Self.longestWord { sink.take(text, position..<end) }
                    position = end + 1
                    continue
                }
                if hasDashes { isOption = true }
                begin(.lower)
                word.append(text, position..<end)
                lastStart = word.count - 1
                position = end
                continue
            case .upper:
                if word.isEmpty, signs.isEmpty {
                    let end = text.endOfLowercase(from: position + 1)
                    if end < text.count, classes[Int(text[end])] == .none {
                        word.append(byte | 0x20)
                        word.append(text, position + 1..<end)
                        self.end()
                        position = end + 1
                        continue
                    }
                }
                begin(.upper)
                word.append(byte | 0x20)
            case .digit:
                begin(.digit)
                word.append(byte)
            case .joint:
                if word.isEmpty, signs.isEmpty, byte == UInt8(ascii: "-") {
                    dashes = dashesEnd == position ? dashes + 1 : 1
                    dashesEnd = position + 1
                } else {
                    endsName = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
                    beginJoint()
                }
            case .none: end()
            case .markup: return position
            case .other:
                position = scanScalar(text, at: position)
                continue
            }
            position += 1
        }
        return position
    }

    /// Ends the current word.
    mutating func end() {
        if !signs.isEmpty {
            takePair()
            take(signs, from: lastSign)
            signs.removeAll(keepingCapacity: true)
            lastSign = 0
        }
        if word.isEmpty { return }
        // Moved out and back, to reuse its memory.
        var finished: [UInt8] = []
        swap(&finished, &word)
        if isOption {
            isOption = false
            take([UInt8(ascii: "-"), UInt8(ascii: "-")] + finished)
        }
        if parts.isEmpty { take(finished) } else { takeParts(of: finished) }
        finished.removeAll(keepingCapacity: true)
        swap(&finished, &word)
        isAtJoint = false
        lastKind = .none
        capitals = 0
    }

    private mutating func take(_ word: [UInt8], from start: Int = 0) {
        let range = start..<word.count
        if !range.isEmpty, range.count <= Self.longestWord { sink.take(word.span, range) }
    }

    private mutating func takePair() { if lastSign > 0 { take(signs) } }

    /// Takes a word of several parts: the whole, and each part.
    private mutating func takeParts(of word: [UInt8]) {
        // A word of digits only is a date or a version; as a whole it would be another number.
        let isWhole =
            word.count <= Self.longestWord && !word.allSatisfy { (48...57).contains($0) }
        if isWhole { sink.take(word.span, 0..<word.count) }
        parts.append(word.count)
        if !names.isEmpty { takeNames(of: word) }
        var start = 0
        for end in parts {
            if start < end, end - start <= Self.longestWord,
                !isWhole || !Self.isOneLetter(word.span.extracting(start..<end))
            {
                sink.take(word.span, start..<end)
            }
            start = end
        }
        parts.removeAll(keepingCapacity: true)
    }

    /// Takes each name of a dotted word that has several parts.
    private mutating func takeNames(of word: [UInt8]) {
        var start = 0
        for end in names + [word.count] {
            let name = word.span.extracting(start..<end)
            let hasParts = parts.contains { start < $0 && $0 < end }
            if hasParts, name.count <= Self.longestWord,
                name.indices.contains(where: { !(48...57).contains(name[$0]) })
            {
                sink.take(word.span, start..<end)
            }
            start = end
        }
        names.removeAll(keepingCapacity: true)
    }

    private static func isOneLetter(_ part: Span<UInt8>) -> Bool {
        var letters = 0
        for index in part.indices where part[index] & 0xC0 != 0x80 { letters += 1 }
        return letters < 2
    }

    /// Adds a letter, and records whether a new part begins with it or with the letter before.
    private mutating func begin(_ kind: LetterFolding.Kind) {
        if !signs.isEmpty { end() }
        if isAtJoint {
            parts.append(word.count)
            if endsName { names.append(word.count) }
            isAtJoint = false
            capitals = 0
        } else if kind == .upper, lastKind == .lower || lastKind == .digit {
            parts.append(word.count)
            capitals = 0
        } else if kind == .lower, capitals > 1 {
            parts.append(lastStart)
        }
        capitals = kind == .upper ? capitals + 1 : 0
        lastStart = word.count
        lastKind = kind
    }

    private mutating func beginJoint() {
        if isAtJoint || word.isEmpty { end() } else { isAtJoint = true }
    }

    private mutating func beginSign() {
        if !word.isEmpty { end() }
        takePair()
        signs.removeSubrange(..<lastSign)
        lastSign = signs.count
    }

    private mutating func scanScalar(_ text: Span<UInt8>, at start: Int) -> Int {
        let count = text[start] >= 0xF0 ? 4 : text[start] >= 0xE0 ? 3 : 2
        var value = UInt32(text[start]) & (count == 4 ? 0x07 : count == 3 ? 0x0F : 0x1F)
        var position = start + 1
        while position < text.count, position < start + count, text[position] & 0xC0 == 0x80 {
            value = value << 6 | UInt32(text[position] & 0x3F)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { return position }
        // Made for the first letter that is not ASCII: many sites have none.
        let folding = LetterFolding.shared
        let kind = folding.kind(of: scalar)
        switch kind {
        case .none: end()
        case .dropped: break
        case .joint:
            endsName = false
            if signs.isEmpty || value != 0x200C { beginJoint() }
        case .sign:
            beginSign()
            signs.append(text, start..<position)
        case .foldedSign:
            for sign in LetterFolding.fold(scalar) {
                if signs.isEmpty || folding.kind(of: sign) != .mark { beginSign() }
                folding.append(sign, to: &signs, letter: lastSign)
            }
        case .mark where !signs.isEmpty: folding.append(scalar, to: &signs, letter: lastSign)
        case .mark where !word.isEmpty && !isAtJoint:
            folding.append(scalar, to: &word, letter: lastStart)
        case .lower, .upper, .digit, .letter, .mark:
            begin(kind)
            folding.append(scalar, to: &word)
        }
        return position
    }
}

/// The class of a byte.
enum WordScannerClass: UInt8 {
    case none, lower, upper, digit
    /// Joins the letters before and after it.
    case joint
    case markup
    /// Not ASCII.
    case other

    static let ofASCII: [WordScannerClass] = (0..<256).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"): .joint
        case UInt8(ascii: "<"), UInt8(ascii: "&"): .markup
        case 0x80...: .other
        default: .none
        }
    }
}

extension Span<UInt8> {
    /// The position of the first byte from `start` on that is no lower-case ASCII letter.
    ///
    /// Eight bytes at a time: the top bit of each tells whether it is below `a` or above `z`.
    func endOfLowercase(from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = start
        while position <= count &- 8 {
            let bytes = word(at: position)
            let low = bytes & (ones &* 0x7F)
            let fromA = low &+ ones &* (0x80 - 0x61)
            let behindZ = low &+ ones &* (0x80 - 0x7B)
            let others = ~(fromA & ~behindZ & ~bytes) & (ones &* 0x80)
            if others != 0 { return position &+ others.trailingZeroBitCount >> 3 }
            position &+= 8
        }
        while position < count, (0x61...0x7A).contains(self[position]) { position &+= 1 }
        return position
    }
}
