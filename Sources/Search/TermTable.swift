/// Numbers words in the order of their first occurrence.
///
/// A dictionary with array keys would be slower: it allocates memory for each word.
///
/// The hash uses a random key for each process, so that nobody can write a page of words that all
/// collide. The numbers do not depend on the key.
struct TermTable: Sendable {
    /// All words, one after the other.
    private(set) var bytes: [UInt8] = []
    private var ends: [UInt32] = [0]
    /// The first eight bytes of each word: most words are told apart by them.
    private var prefixes: [UInt64] = []
    /// The upper half of the hash and the number of the word plus one; 0 for an empty slot.
    ///
    /// At most half of the slots are used.
    private var slots: [UInt64]
    private let key: Key

    /// - Parameter expected: the expected number of words.
    init(expecting expected: Int = 256, key: Key = .ofProcess) {
        self.key = key
        var size = 64
        while size < 2 * expected { size *= 2 }
        slots = [UInt64](repeating: 0, count: size)
        bytes.reserveCapacity(8 * expected)
        ends.reserveCapacity(expected)
        prefixes.reserveCapacity(expected)
    }

    var count: Int { prefixes.count }

    func range(of id: Int) -> Range<Int> { Int(ends[id])..<Int(ends[id + 1]) }

    subscript(id: Int) -> ArraySlice<UInt8> { bytes[range(of: id)] }

    /// The first eight bytes of a word as a number, the first one highest: as words are sorted.
    private func order(of id: Int) -> UInt64 { prefixes[id].byteSwapped }

    /// The number of a word; a new number for a new word.
    mutating func add(_ term: Span<UInt8>) -> Int { add(term, 0..<term.count) }

    /// The number of the word in a range of a text.
    mutating func add(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
        let prefix = text.prefix(at: range.lowerBound, count: range.count)
        let hash = key.hash(text, range, prefix)
        let slot = slot(of: text, range, prefix, hash)
        let found = slots[slot]
        if found != 0 { return Int(truncatingIfNeeded: found & ~Self.upper) &- 1 }
        insert(text, range, prefix)
        slots[slot] = hash & Self.upper | UInt64(count)
        if 2 * count > slots.count { grow() }
        return count - 1
    }

    @inline(never)
    private mutating func insert(_ text: Span<UInt8>, _ range: Range<Int>, _ prefix: UInt64) {
        bytes.append(text, range)
        ends.append(UInt32(bytes.count))
        prefixes.append(prefix)
    }

    /// Forgets all words, and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeLast(count)
        prefixes.removeAll(keepingCapacity: true)
        for slot in slots.indices { slots[slot] = 0 }
    }

    /// How many words there is room for.
    var capacity: Int { slots.count / 2 }

    /// The number of a word, or `nil` if it was not added.
    func id(of term: Span<UInt8>) -> Int? { id(of: term, 0..<term.count) }

    /// The number of the word in a range of a text, or `nil` if it was not added.
    func id(of text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let prefix = text.prefix(at: range.lowerBound, count: range.count)
        let slot = slot(of: text, range, prefix, key.hash(text, range, prefix))
        return slots[slot] == 0 ? nil : Int(truncatingIfNeeded: slots[slot] & ~Self.upper) &- 1
    }

    /// The hash of the word in a range of a text.
    @inline(__always)
    func hash(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        key.hash(text, range, text.prefix(at: range.lowerBound, count: range.count))
    }

    /// These words in the order of their letters.
    func sorted(_ words: Range<Int>) -> [Int] {
        words.map { (order: order(of: $0), id: $0) }
            .sorted { $0.order != $1.order ? $0.order < $1.order : isBefore($0.id, $1.id) }
            .map(\.id)
    }

    /// Whether the letters of a word are before those of another one.
    func isBefore(_ one: Int, _ other: Int) -> Bool {
        if prefixes[one] != prefixes[other] { return order(of: one) < order(of: other) }
        return self[one].lexicographicallyPrecedes(self[other])
    }

    /// The number of slots visited to find a word; for tests.
    func probes(for term: Span<UInt8>) -> Int {
        let mask = slots.count - 1
        let prefix = term.prefix(at: 0, count: term.count)
        let hash = key.hash(term, 0..<term.count, prefix)
        let slot = slot(of: term, 0..<term.count, prefix, hash)
        return (slot - Int(truncatingIfNeeded: hash)) & mask + 1
    }

    private static let upper: UInt64 = 0xFFFF_FFFF_0000_0000

    /// The slot of the word in a range of a text, or the empty one where it would be.
    @inline(__always)
    private func slot(
        of text: Span<UInt8>,
        _ range: Range<Int>,
        _ prefix: UInt64,
        _ hash: UInt64
    ) -> Int {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let found = slots[slot]
            if found == 0 { return slot }
            if (found ^ hash) & Self.upper == 0 {
                let id = Int(truncatingIfNeeded: found & ~Self.upper) &- 1
                let start = Int(ends[id])
                if prefixes[id] == prefix, Int(ends[id &+ 1]) &- start == range.count,
                    range.count <= 8 || hasRest(text, range, at: start)
                {
                    return slot
                }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Whether the letters behind the first eight are those of the word that begins here.
    private func hasRest(_ text: Span<UInt8>, _ range: Range<Int>, at start: Int) -> Bool {
        var offset = 8
        while offset < range.count {
            if bytes[start + offset] != text[range.lowerBound + offset] { return false }
            offset += 1
        }
        return true
    }

    private mutating func grow() {
        slots = [UInt64](repeating: 0, count: 2 * slots.count)
        for id in 0..<count {
            let hash = key.hash(bytes.span, range(of: id), prefixes[id])
            var free = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[free] != 0 { free = (free + 1) & (slots.count - 1) }
            slots[free] = hash & Self.upper | UInt64(id + 1)
        }
    }

    /// The secret key of the hash.
    struct Key {
        let first: UInt64
        /// Odd: an even one would lose bits.
        let second: UInt64

        static let ofProcess = Key(.random(in: 0 ... .max), .random(in: 0 ... .max))

        package init(_ first: UInt64, _ second: UInt64) {
            self.first = first
            self.second = second | 1
        }

        /// Mixes in eight bytes at a time, and keeps both halves of the 128-bit product.
        ///
        /// - Parameter prefix: the first eight bytes of the word.
        @inline(__always)
        func hash(_ text: Span<UInt8>, _ word: Range<Int>, _ prefix: UInt64) -> UInt64 {
            var hash = mixed(first ^ UInt64(truncatingIfNeeded: word.count) ^ prefix)
            var start = word.lowerBound &+ 8
            while start < word.upperBound {
                hash = mixed(hash ^ text.prefix(at: start, count: word.upperBound &- start))
                start &+= 8
            }
            return hash
        }

        @inline(__always)
        private func mixed(_ number: UInt64) -> UInt64 {
            let (high, low) = number.multipliedFullWidth(by: second)
            return high ^ low
        }
    }
}
