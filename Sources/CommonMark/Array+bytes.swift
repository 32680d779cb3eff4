extension [UInt8] {
    /// Appends a text of the program.
    ///
    /// As a `String`, most of its time would go into finding out how it is stored.
    @inlinable
    public mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        append(addingCapacity: count) { output in
            for index in 0..<count { output.append(unsafe text.utf8Start[index]) }
        }
    }

    @inlinable
    public mutating func append(copying bytes: Span<UInt8>) {
        // An empty array to which nothing is appended would write its length, 0, into the storage that all
        // empty arrays share: a race, if without harm.
        if bytes.isEmpty { return }
        append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }
}
