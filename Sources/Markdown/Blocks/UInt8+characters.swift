/// The characters of Markdown's syntax, all of them ASCII.
extension UInt8 {
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")

    var isSpaceOrTab: Bool { self == .space || self == .tab }

    /// Space, tab, line ends, vertical tab and form feed.
    var isWhitespace: Bool { self == .space || (9...13).contains(self) }

    var isLineEnd: Bool { self == .newline || self == .carriageReturn }

    var isDigit: Bool { (48...57).contains(self) }

    var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }

    var isLetterOrDigit: Bool { isLetter || isDigit }

    /// ASCII punctuation (CommonMark 0.30, section 2.1).
    var isPunctuation: Bool { (33...126).contains(self) && !isLetterOrDigit }
}
