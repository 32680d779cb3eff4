import Bytes
import Synchronization

/// The words of a page's text, each with its frequency in headings, text and code.
///
/// Stored as bytes, because a build keeps those of all pages outside of memory: the number of all
/// words and of distinct ones, the length of each distinct word, the weight of each, then their
/// letters.
package struct PageTerms: Sendable {
    /// The frequency of a word.
    struct Weight: Sendable {
        /// The frequency in text and code, in halves, and the worth of its places in headings.
        let packed: Int

        /// The frequency in text and code, in halves: an occurrence in a code block counts half.
        var halves: Int { packed >> 2 }
        /// Two for a heading, and one for a place where a word is explained; at most three.
        package var headings: Int { packed & 3 }
    }

    package let bytes: ArraySlice<UInt8>

    package init() { bytes = [] }

    /// - Parameter bytes: of another value.
    package init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package init(_ html: [UInt8]) {
        var scanner = Self.scanners.withLock { $0.popLast() } ?? WordScanner(Counter())
        HTMLWords.scan(html.span, &scanner)
        bytes = scanner.sink.encoded[...]
        if scanner.sink.isReusable {
            scanner.sink.removeAll()
            Self.scanners.withLock { $0.append(scanner) }
        }
    }

    /// Used again for the next page, because their memory is larger than the words of a page.
    private static let scanners = Mutex<[WordScanner<Counter>]>([])

    /// The number of words, counting repetitions.
    package var length: Int {
        var position = 0
        return bytes.span.number(&position)
    }

    /// The words in the order of their first occurrence, each as a range of a text.
    @inline(__always)
    func forEach(_ body: (Span<UInt8>, Range<Int>, Weight) -> Void) {
        let text = bytes.span
        var position = 0
        _ = text.number(&position)
        let count = text.number(&position)
        guard count <= text.count - position else { return }
        let lengths = position
        position += count
        var weights = position
        for _ in 0..<count { _ = text.number(&position) }
        var word = position
        for index in 0..<count {
            let packed = text.number(&weights)
            let end = word + Int(text[lengths + index])
            guard word < end, end <= text.count else { return }
            body(text, word..<end, Weight(packed: packed))
            word = end
        }
    }

    /// Counts the words of one page.
    struct Counter: WordSink {
        /// A term is a word that is explained behind it: in a definition, a list or a table.
        enum Field { case text, heading, term, code }

        var field = Field.text
        /// Whether the next cell is the first one of its row.
        var isFirstCell = false
        /// Where the tag of a term may begin.
        private var termStart = -1
        /// The name of the tag that ends the current term, packed.
        private var termEnd: UInt64 = 0
        private var table = TermTable(expecting: 512)
        private var weights: [UInt32] = []
        private var length = 0

        mutating func take(_ text: Span<UInt8>, _ word: Range<Int>) {
            let id = table.add(text, word)
            if id == weights.count { weights.append(0) }
            length &+= 1
            switch field {
            case .text: weights[id] &+= 2 << 2
            case .code: weights[id] &+= 1 << 2
            case .heading: weights[id] += min(2, 3 - weights[id] & 3)
            case .term: weights[id] += min(1, 3 - weights[id] & 3) + 2 << 2
            }
        }

        mutating func beginPage() { (isFirstCell, termStart) = (false, -1) }

        mutating func expectTerm(at position: Int) { termStart = position }

        /// Whether a tag at this position may contain a term; a line feed may stand before it.
        func beginsTerm(_ position: Int) -> Bool {
            termStart >= 0 && (position == termStart || position == termStart + 1)
        }

        /// - Parameter tag: the name, packed.
        mutating func beginTerm(_ tag: UInt64) {
            field = .term
            let bits = (71 - tag.leadingZeroBitCount) & ~7
            termEnd = UInt64(UInt8(ascii: "/")) << UInt64(bits) | tag
        }

        func endsTerm(_ tag: UInt64) -> Bool { field == .term && tag == termEnd }

        /// Whether it has not grown for a page that is much larger than others.
        var isReusable: Bool { table.capacity <= 4096 }

        mutating func removeAll() {
            field = .text
            table.removeAll()
            weights.removeAll(keepingCapacity: true)
            length = 0
        }

        var encoded: [UInt8] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(table.bytes.count + 3 * weights.count + 10)
            bytes.append(number: length)
            bytes.append(number: weights.count)
            // A word has at most 48 bytes.
            for id in weights.indices { bytes.append(UInt8(table.range(of: id).count)) }
            for weight in weights { bytes.append(number: Int(weight)) }
            bytes += table.bytes
            return bytes
        }
    }
}

extension Span<UInt8> {
    /// Reads a number in groups of seven bits, lowest first; what is there of one that is cut off.
    @inline(__always)
    package func number(_ position: inout Int) -> Int {
        var number = 0
        var shift = 0
        while position < count, shift < 35 {
            let byte = self[position]
            position &+= 1
            number |= Int(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift &+= 7
        }
        return number
    }
}

extension [UInt8] {
    /// Appends a number in groups of seven bits, lowest first.
    @inline(__always)
    mutating func append(number: Int) {
        var rest = UInt(bitPattern: number)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends the length of a text, then the text.
    mutating func append(text: some Collection<UInt8>) {
        append(number: text.count)
        self += text
    }

    /// Appends a part of a text.
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        append(copying: text.extracting(range))
    }

    /// Appends the length of a text, then the text.
    mutating func append(_ text: String) {
        let bytes = text.utf8.span
        append(number: bytes.count)
        append(bytes, 0..<bytes.count)
    }
}
