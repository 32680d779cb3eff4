extension [UInt8] {
    /// Appends a text of the program.
    ///
    /// As a `String`, most of its time would go into finding out how it is stored.
    @inlinable
    public mutating func append(_ text: StaticString) {
        unsafe append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    /// Appends a text, all bytes at once.
    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        // An empty array to which nothing is appended would write its length, 0, into the storage that all
        // empty arrays share: a race, if without harm.
        if bytes.isEmpty { return }
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
