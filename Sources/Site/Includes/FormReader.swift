import Bytes

/// Reads the words of a form that stands on one line.
struct FormReader {
    /// What is not read yet; its indices are those of the whole text.
    private(set) var rest: ArraySlice<UInt8>

    var position: Int { rest.startIndex }

    /// Whether only white space follows.
    var isAtEnd: Bool { rest.allSatisfy(\.isSpaceOrTab) }

    var isAtSpace: Bool { rest.first?.isSpaceOrTab ?? false }

    init(_ line: ArraySlice<UInt8>) { rest = line }

    mutating func skipSpaces() { rest = rest.drop(while: \.isSpaceOrTab) }

    mutating func skip(_ byte: UInt8) { rest = rest.drop { $0 == byte } }

    /// Takes a mark, in any case; whether it stands here.
    mutating func take(_ mark: String) -> Bool {
        let bytes = mark.utf8
        let isHere =
            rest.count >= bytes.count
            && zip(rest, bytes).allSatisfy { Self.lower($0) == Self.lower($1) }
        if isHere { rest = rest.dropFirst(bytes.count) }
        return isHere
    }

    /// Takes what stands before a mark, and the mark; `nil` if it does not follow.
    mutating func take(upTo mark: String) -> String? {
        let (all, bytes) = (rest, Array(mark.utf8))
        let span = all.span
        var end = span.position(of: bytes[0])
        while end + bytes.count <= span.count {
            var length = 0
            while length < bytes.count, span[end + length] == bytes[length] { length += 1 }
            if length == bytes.count {
                let text = rest.prefix(end)
                rest = rest.dropFirst(end + bytes.count)
                return String(decoding: text, as: UTF8.self)
            }
            end = span.position(of: bytes[0], from: end + 1)
        }
        return nil
    }

    /// Takes the bytes that a condition holds for.
    mutating func take(while condition: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: condition)
        rest = rest[taken.endIndex...]
        return String(decoding: taken, as: UTF8.self)
    }

    /// Takes a quotation mark, if one stands here.
    mutating func takeQuote() -> String? {
        for mark in ["\"", "'"] where take(mark) { return mark }
        return nil
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }
}
