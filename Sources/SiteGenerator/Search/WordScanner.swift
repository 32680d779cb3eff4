/// Receives the words of a text, one after the other.
protocol WordSink {
    mutating func take(_ word: Span<UInt8>)
}

/// Splits a text into words as the search knows them: folded, in UTF-8.
///
/// A word is a run of letters and digits. A word with joints, such as `max_body-size` or
/// `getUserName`, is indexed as a whole without the joints, and by its parts. Scripts without
/// spaces between words are split into pairs of neighbouring characters, with the last character of
/// a run by itself, so that each single character begins an entry. `search-words.js` does the same.
struct WordScanner<Sink: WordSink> {
    var sink: Sink
    private let folding = LetterFolding.shared
    private let classes = WordScannerClass.ofASCII
    /// The current word.
    private var word: [UInt8] = []
    /// The beginnings of its second and later parts.
    private var parts: [Int] = []
    private var lastKind = LetterFolding.Kind.none
    private var lastStart = 0
    private var capitals = 0
    private var isAtJoint = false
    private var ideograph: [UInt8] = []

    /// In bytes; longer runs are keys or digests, not words.
    private static var longestWord: Int { 48 }

    init(_ sink: Sink) { self.sink = sink }

    /// Reads a whole text.
    mutating func scan(_ text: String) {
        let bytes = Array(text.utf8)
        var position = 0
        while position < bytes.count { position = scan(bytes.span, from: position) + 1 }
        end()
    }

    /// Reads text up to the next `<` or `&`, and returns that position, or the end.
    mutating func scan(_ text: Span<UInt8>, from start: Int) -> Int {
        let classes = classes
        var position = start
        while position < text.count {
            let byte = text[position]
            switch classes[Int(byte)] {
            case .lower where word.isEmpty:
                var end = position + 1
                while end < text.count, classes[Int(text[end])] == .lower { end += 1 }
                // The common case: a word of lower-case letters only.
                if end < text.count, classes[Int(text[end])] == .none, ideograph.isEmpty {
                    if end - position <= Self.longestWord {
                        sink.take(text.extracting(position..<end))
                    }
                    position = end + 1
                    continue
                }
                while position < end {
                    begin(.lower)
                    word.append(text[position])
                    position += 1
                }
                continue
            case .lower:
                begin(.lower)
                word.append(byte)
            case .upper:
                begin(.upper)
                word.append(byte | 0x20)
            case .digit:
                begin(.digit)
                word.append(byte)
            case .joint:
                if isAtJoint || word.isEmpty { end() } else { isAtJoint = true }
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
        if !ideograph.isEmpty {
            let last = ideograph
            sink.take(last.span)
            ideograph = []
        }
        if word.isEmpty { return }
        // Moved out and back, to reuse its memory.
        var finished: [UInt8] = []
        swap(&finished, &word)
        take(finished)
        finished.removeAll(keepingCapacity: true)
        swap(&finished, &word)
        parts.removeAll(keepingCapacity: true)
        isAtJoint = false
        lastKind = .none
        capitals = 0
    }

    private mutating func take(_ word: [UInt8]) {
        if parts.isEmpty {
            if word.count <= Self.longestWord { sink.take(word.span) }
            return
        }
        // A word of digits only is a date or a version; as a whole it would be another number.
        let isWhole =
            word.count <= Self.longestWord && !word.allSatisfy { (48...57).contains($0) }
        if isWhole { sink.take(word.span) }
        var start = 0
        for end in parts + [word.count] {
            let part = word.span.extracting(start..<end)
            if part.count <= Self.longestWord, !isWhole || !Self.isOneLetter(part) {
                sink.take(part)
            }
            start = end
        }
    }

    private static func isOneLetter(_ part: Span<UInt8>) -> Bool {
        var letters = 0
        for index in part.indices where part[index] & 0xC0 != 0x80 { letters += 1 }
        return letters < 2
    }

    /// Adds a letter, and records whether a new part begins with it or with the letter before.
    private mutating func begin(_ kind: LetterFolding.Kind) {
        if !ideograph.isEmpty { end() }
        if isAtJoint {
            parts.append(word.count)
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

    private mutating func scanScalar(_ text: Span<UInt8>, at start: Int) -> Int {
        let count = text[start] >= 0xF0 ? 4 : text[start] >= 0xE0 ? 3 : 2
        var value = UInt32(text[start]) & (count == 4 ? 0x07 : count == 3 ? 0x0F : 0x1F)
        var position = start + 1
        while position < text.count, position < start + count, text[position] & 0xC0 == 0x80 {
            value = value << 6 | UInt32(text[position] & 0x3F)
            position += 1
        }
        guard let scalar = Unicode.Scalar(value) else { return position }
        let kind = folding.kind(of: scalar)
        switch kind {
        case .none: end()
        case .dropped: break
        case .ideograph:
            if !word.isEmpty { end() }
            let before = ideograph
            ideograph.removeAll(keepingCapacity: true)
            for index in start..<position { ideograph.append(text[index]) }
            if !before.isEmpty { sink.take((before + ideograph).span) }
        case .lower, .upper, .digit, .letter:
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
