/// What a variable may be called, and what its value may be.
package enum VariableText {
    /// Values are short: a page of names alone stays a page.
    private static let maximumBytes = 1000

    package static func isNamePart(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20) || (48...57).contains(byte) || "_-.".utf8.contains(byte)
    }

    /// What is wrong with a variable; `nil` if nothing is.
    package static func mistake(_ name: String, _ value: String) -> String? {
        if name.isEmpty || !name.utf8.allSatisfy(isNamePart) {
            return "'\(name)' must consist of letters without accents, digits, '_', '-' and '.'"
        }
        if value.utf8.count > maximumBytes || value.utf8.contains(where: { $0 < 0x20 }) {
            return "'\(name)' must be one line of at most \(maximumBytes) bytes"
        }
        return nil
    }
}
