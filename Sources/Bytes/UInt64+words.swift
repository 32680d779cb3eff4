/// Eight bytes of a text at once, see ``Span/word(at:)``.
extension UInt64 {
    /// How many of the bytes, from the first one on, are letters or spaces.
    @inlinable
    @inline(__always)
    package var leadingWords: Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones &* 0x80
        // Seven bits of each byte, so that no sum reaches the next byte; capitals made small.
        let small = (self | ones &* 0x20) & ~high
        let letters = (small &+ ones &* 0x1F) & ~(small &+ ones &* 0x05) & ~self & high
        let others = self ^ ones &* 0x20
        let spaces = ~((others & ~high) &+ ones &* 0x7F | others) & high
        return (~(letters | spaces) & high).trailingZeroBitCount / 8
    }

    /// Like ``leadingWords``, of letters other than `w`, with which `www.` begins.
    @inlinable
    @inline(__always)
    package var leadingPlainWords: Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let others = (self | ones &* 0x20) ^ ones &* UInt64(UInt8(ascii: "w"))
        // The lowest bit that is set belongs to the first `w`; those above it may be wrong.
        let high = ones &* 0x80
        let found = (others &- ones) & ~others & high
        return Swift.min(leadingWords, found.trailingZeroBitCount / 8)
    }
}
