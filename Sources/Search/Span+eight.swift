extension Span<UInt8> {
    /// Eight bytes as a number, the first one lowest.
    ///
    /// Not inlined: by itself it becomes one load after one comparison, in a loop eight of each.
    @inline(never)
    package func eight(at start: Int) -> UInt64 {
        precondition(start >= 0 && count >= 8 && start <= count - 8)
        let low =
            UInt64(self[start]) | UInt64(self[start + 1]) << 8
            | UInt64(self[start + 2]) << 16 | UInt64(self[start + 3]) << 24
        let high =
            UInt64(self[start + 4]) | UInt64(self[start + 5]) << 8
            | UInt64(self[start + 6]) << 16 | UInt64(self[start + 7]) << 24
        return low | high << 32
    }

    /// The first eight bytes of a text of this many bytes, as ``eight(at:)``; zeros behind a shorter
    /// one.
    @inline(__always)
    package func prefix(at start: Int, count length: Int) -> UInt64 {
        guard start <= count &- 8 else { return prefixAtEnd(start, length) }
        let bytes = eight(at: start)
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
