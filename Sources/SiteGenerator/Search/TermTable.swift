/// Numbers words in the order of their first occurrence.
///
/// A dictionary with array keys would be slower: it allocates memory for each word.
///
/// The hash uses a random key for each process, so that nobody can write a page of words that all
/// collide. The numbers do not depend on the key.
struct TermTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int32] = [0]
    /// The numbers of words plus one, by hash; 0 for an empty slot.
    ///
    /// At most half of the slots are used.
    private var slots: [Int32]
    private let key: Key

    /// - Parameter expected: the expected number of words.
    init(expecting expected: Int = 256, key: Key = .ofProcess) {
        self.key = key
        var size = 512
        while size < 2 * expected { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        bytes.reserveCapacity(8 * expected)
    }

    var count: Int { ends.count - 1 }

    func range(of id: Int) -> Range<Int> { Int(ends[id])..<Int(ends[id + 1]) }

    subscript(id: Int) -> ArraySlice<UInt8> { bytes[range(of: id)] }

    /// The number of a word; a new number for a new word.
    mutating func add(_ term: Span<UInt8>) -> Int {
        let (slot, known) = find(term)
        if known >= 0 { return known }
        for index in term.indices { bytes.append(term[index]) }
        ends.append(Int32(bytes.count))
        slots[slot] = Int32(count)
        if 2 * count > slots.count { grow() }
        return count - 1
    }

    /// The number of a word, or `nil` if it was not added.
    func id(of term: Span<UInt8>) -> Int? {
        let known = find(term).id
        return known >= 0 ? known : nil
    }

    /// The number of slots visited to find a word; for tests.
    func probes(for term: Span<UInt8>) -> Int {
        let mask = slots.count - 1
        let start = key.hash(term) & mask
        return (find(term).slot - start) & mask + 1
    }

    private func find(_ term: Span<UInt8>) -> (slot: Int, id: Int) {
        let mask = slots.count - 1
        var slot = key.hash(term) & mask
        while true {
            let id = Int(slots[slot]) - 1
            if id < 0 { return (slot, -1) }
            let start = Int(ends[id])
            if Int(ends[id + 1]) - start == term.count {
                var index = 0
                while index < term.count, bytes[start + index] == term[index] { index += 1 }
                if index == term.count { return (slot, id) }
            }
            slot = (slot + 1) & mask
        }
    }

    private mutating func grow() {
        slots = [Int32](repeating: 0, count: 2 * slots.count)
        for id in 0..<count {
            var free = key.hash(bytes.span.extracting(range(of: id))) & (slots.count - 1)
            while slots[free] != 0 { free = (free + 1) & (slots.count - 1) }
            slots[free] = Int32(id + 1)
        }
    }

    /// The secret key of the hash.
    struct Key {
        let first: UInt64
        /// Odd: an even one would lose bits.
        let second: UInt64

        static let ofProcess = Key(.random(in: 0 ... .max), .random(in: 0 ... .max))

        init(_ first: UInt64, _ second: UInt64) {
            self.first = first
            self.second = second | 1
        }

        /// Mixes in eight bytes at a time, and keeps both halves of the 128-bit product.
        func hash(_ term: Span<UInt8>) -> Int {
            var hash = first ^ UInt64(truncatingIfNeeded: term.count)
            var part: UInt64 = 0
            var filled: UInt64 = 0
            for index in term.indices {
                part |= UInt64(term[index]) << filled
                filled += 8
                if filled == 64 {
                    hash = mixed(hash ^ part)
                    (part, filled) = (0, 0)
                }
            }
            hash = mixed(mixed(hash ^ part) ^ first)
            return Int(truncatingIfNeeded: hash)
        }

        private func mixed(_ number: UInt64) -> UInt64 {
            let (high, low) = number.multipliedFullWidth(by: second)
            return high ^ low
        }
    }
}
