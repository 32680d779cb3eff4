import Markdown

/// The words of a page's text, each with its frequency in headings, text and code.
///
/// Stored as bytes, because it is cached together with the outline.
struct PageTerms: Sendable {
    /// The frequency of a word.
    struct Weight: Sendable {
        /// The frequency in text and code, in halves: an occurrence in a code block counts half.
        var halves = 0
        /// The frequency in headings, at most three.
        var headings = 0
    }

    let bytes: ArraySlice<UInt8>

    init() { bytes = [] }

    init(kept bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ html: [UInt8]) {
        var scanner = WordScanner(Counter(expecting: html.count / 32))
        HTMLWords.scan(html.span, &scanner)
        bytes = scanner.sink.encoded[...]
    }

    /// The number of words, counting repetitions.
    var length: Int {
        var position = bytes.startIndex
        return Self.number(bytes, &position)
    }

    /// The words in the order of their first occurrence.
    func forEach(_ body: (Span<UInt8>, Weight) -> Void) {
        var position = bytes.startIndex
        _ = Self.number(bytes, &position)
        let first = bytes.startIndex
        let text = bytes.span
        while position < bytes.endIndex {
            let count = Self.number(bytes, &position)
            let end = position + count
            guard count > 0, end < bytes.endIndex else { return }
            let word = text.extracting(position - first..<end - first)
            position = end
            let packed = Self.number(bytes, &position)
            body(word, Weight(halves: packed >> 2, headings: packed & 3))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>, _ position: inout Int) -> Int {
        var number = 0
        var shift = 0
        while position < bytes.endIndex, shift < 35 {
            let byte = bytes[position]
            position += 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return number
    }

    /// Counts the words of one page.
    struct Counter: WordSink {
        enum Field { case text, heading, code }

        var field = Field.text
        private var table: TermTable
        private var weights: [Weight] = []
        private var length = 0

        init(expecting words: Int) { table = TermTable(expecting: words) }

        mutating func take(_ word: Span<UInt8>) {
            let id = table.add(word)
            if id == weights.count { weights.append(Weight()) }
            length += 1
            switch field {
            case .text: weights[id].halves += 2
            case .code: weights[id].halves += 1
            case .heading: weights[id].headings = min(3, weights[id].headings + 1)
            }
        }

        var encoded: [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(10 * weights.count + 4)
            bytes.append(number: length)
            for (id, weight) in weights.enumerated() {
                let word = table[id]
                bytes.append(number: word.count)
                bytes += word
                bytes.append(number: weight.halves << 2 | weight.headings)
            }
            return bytes
        }
    }
}

extension [UInt8] {
    /// Appends a number in groups of seven bits, lowest first.
    mutating func append(number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends the length of a text, then the text.
    mutating func append(text: some Collection<UInt8>) {
        append(number: text.count)
        self += text
    }
}
