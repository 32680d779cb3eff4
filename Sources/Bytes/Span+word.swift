extension Span<UInt8> {
    /// Eight bytes as a number, the first one lowest.
    @inlinable
    @inline(__always)
    public func word(at start: Int) -> UInt64 {
        precondition(start >= 0 && count >= 8 && start <= count &- 8)
        let word = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start,
            as: UInt64.self
        )
        return UInt64(littleEndian: word)
    }
}
