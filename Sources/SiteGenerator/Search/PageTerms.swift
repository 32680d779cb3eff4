import Markdown

/// The words of a page's text, each once with how often it stands in headings, text and code.
///
/// It is kept from one build to the next beside the outline, hence the bytes.
struct PageTerms: Sendable {
    /// How often a word stands where.
    struct Weight: Sendable {
        /// Half as much for each time in a block of code as in the text.
        var halves = 0
        /// At most three.
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

    /// How many words there are, each as often as it comes.
    var length: Int {
        var position = bytes.startIndex
        return Self.number(bytes, &position)
    }

    /// The words in the order in which they come first.
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
    /// Seven bits a byte, the lowest first.
    mutating func append(number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// With its length before it.
    mutating func append(text: some Collection<UInt8>) {
        append(number: text.count)
        self += text
    }
}
