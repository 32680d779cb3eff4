/// Kinds of characters, all of them ASCII where nothing else is said.
extension UInt8 {
    @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }
    @inlinable package static var newline: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }

    @inlinable package var isSpaceOrTab: Bool { self == .space || self == .tab }

    /// Space, tab, line ends, vertical tab and form feed.
    @inlinable package var isWhitespace: Bool { self == .space || (9...13).contains(self) }

    @inlinable package var isLineEnd: Bool { self == .newline || self == .carriageReturn }

    @inlinable package var isDigit: Bool { (48...57).contains(self) }

    @inlinable package var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }

    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// ASCII punctuation (CommonMark 0.30, section 2.1).
    @inlinable package var isPunctuation: Bool { (33...126).contains(self) && !isLetterOrDigit }

    /// A letter or a digit, in any script.
    @inlinable package var isPartOfWord: Bool { isLetterOrDigit || self >= 0x80 }
}
