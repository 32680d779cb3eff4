/// Numbers for words, in the order in which they come first.
///
/// A dictionary of arrays would spend more time on memory than on words.
struct TermTable: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int32] = [0]
    /// Numbers of words plus one, found by hash; as many again are empty.
    private var slots: [Int32]

    /// - Parameter expected: how many words there may be.
    init(expecting expected: Int = 256) {
        var size = 512
        while size < 2 * expected { size *= 2 }
        slots = [Int32](repeating: 0, count: size)
        bytes.reserveCapacity(8 * expected)
    }

    var count: Int { ends.count - 1 }

    func range(of id: Int) -> Range<Int> { Int(ends[id])..<Int(ends[id + 1]) }

    subscript(id: Int) -> ArraySlice<UInt8> { bytes[range(of: id)] }

    /// The number of a word; a new one where it was not known.
    mutating func add(_ term: Span<UInt8>) -> Int {
        let (slot, known) = find(term)
        if known >= 0 { return known }
        for index in term.indices { bytes.append(term[index]) }
        ends.append(Int32(bytes.count))
        slots[slot] = Int32(count)
        if 2 * count > slots.count { grow() }
        return count - 1
    }

    /// The number of a word that was added.
    func id(of term: Span<UInt8>) -> Int? {
        let known = find(term).id
        return known >= 0 ? known : nil
    }

    private func find(_ term: Span<UInt8>) -> (slot: Int, id: Int) {
        let mask = slots.count - 1
        var slot = Self.hash(term) & mask
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
            var free = Self.hash(bytes.span.extracting(range(of: id))) & (slots.count - 1)
            while slots[free] != 0 { free = (free + 1) & (slots.count - 1) }
            slots[free] = Int32(id + 1)
        }
    }

    /// FNV-1a.
    private static func hash(_ term: Span<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in term.indices { hash = (hash ^ UInt64(term[index])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ hash >> 32)
    }
}
