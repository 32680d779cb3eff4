extension ArraySlice<UInt8> {
    /// Without such bytes at both ends.
    @inlinable
    package func trimmed(where isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        guard let last = lastIndex(where: { !isTrimmed($0) }) else { return prefix(0) }
        return self[...last].drop(while: isTrimmed)
    }
}
