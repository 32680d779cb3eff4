import Glibc

extension Span<UInt8> {
    /// The position of the first `byte` at or after `start`, or ``count``.
    ///
    /// `memchr` compares 32 bytes at once, where a loop compares one.
    public func position(of byte: UInt8, from start: Int = 0) -> Int {
        unsafe withUnsafeBufferPointer { buffer in
            guard start < buffer.count, let base = buffer.baseAddress else { return count }
            precondition(start >= 0, "a position in a text is not negative")
            let found = unsafe memchr(base + start, Int32(byte), buffer.count - start)
            return unsafe found.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) }
                ?? count
        }
    }

    /// The position of the first such text of the program; `nil` where there is none.
    public func position(of text: StaticString) -> Int? {
        let first = unsafe text.utf8Start[0]
        var start = position(of: first)
        while start < count, !has(text, at: start) { start = position(of: first, from: start + 1) }
        return start < count ? start : nil
    }

    /// Whether a text of the program stands at a position.
    @inlinable
    public func has(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start >= 0, length <= count &- start else { return false }
        for offset in 0..<length {
            if unsafe text.utf8Start[offset] != self[start &+ offset] { return false }
        }
        return true
    }
}
