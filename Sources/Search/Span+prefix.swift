import Bytes

extension Span<UInt8> {
    /// The first eight bytes of a text of this many bytes, as ``word(at:)``; zeros behind a shorter
    /// one.
    @inline(__always)
    package func prefix(at start: Int, count length: Int) -> UInt64 {
        guard start <= count &- 8 else { return prefixAtEnd(start, length) }
        let bytes = word(at: start)
        return length >= 8 ? bytes : bytes & ((1 &<< UInt64(8 &* length)) &- 1)
    }

    /// Negative if a word is before one of another text, and 0 if it has the same letters.
    ///
    /// - Parameter start: so many letters are known to be the same.
    @inline(__always)
    package func order(
        of word: Range<Int>,
        to other: Range<Int>,
        in others: Span<UInt8>,
        from start: Int = 0
    ) -> Int {
        var offset = start
        while offset < Swift.min(word.count, other.count) {
            let difference =
                Int(self[word.lowerBound + offset]) - Int(others[other.lowerBound + offset])
            if difference != 0 { return difference }
            offset += 1
        }
        return word.count - other.count
    }

    private func prefixAtEnd(_ start: Int, _ length: Int) -> UInt64 {
        var prefix: UInt64 = 0
        for offset in 0..<Swift.min(8, length) {
            prefix |= UInt64(self[start + offset]) << UInt64(8 * offset)
        }
        return prefix
    }
}
