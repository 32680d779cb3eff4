/// The range of a JSON object at the beginning of a file, and the positions of its members.
///
/// Jansson returns the values of an object, but not their positions. This type finds the positions
/// only, and never decides what a value is.
struct JSONObjectRange {
    /// A member of the outermost object: where its name and its value begin, in bytes.
    struct Member {
        let name: Int
        let value: Int
    }

    /// The object, braces included.
    let range: Range<Int>
    let isClosed: Bool
    /// Whether nothing follows it on its last line.
    let isAlone: Bool
    /// In their order.
    private(set) var members: [Member] = []

    /// `nil` if the bytes do not begin like an object: `{`, then a name or `}`.
    init?(at file: ArraySlice<UInt8>) {
        guard file.first == UInt8(ascii: "{") else { return nil }
        let inside = file.dropFirst().drop(while: Self.isSpace)
        guard let first = inside.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "}")
        else { return nil }
        var scanner = Scanner(file: file, position: file.startIndex)
        let end = scanner.objectEnd()
        members = scanner.members
        range = file.startIndex..<(end ?? file.endIndex)
        isClosed = end != nil
        let rest = file[range.upperBound...].prefix { $0 != 10 }
        isAlone = isClosed && rest.allSatisfy(Self.isSpace)
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }

    private struct Scanner {
        let file: ArraySlice<UInt8>
        var position: Int
        var members: [Member] = []

        mutating func objectEnd() -> Int? {
            var depth = 0
            // The start of the name whose value follows.
            var name: Int?
            var awaitsName = false
            while position < file.endIndex {
                let byte = file[position]
                if JSONObjectRange.isSpace(byte) || byte == UInt8(ascii: ":") {
                    position += 1
                    continue
                }
                if depth == 1, let start = name {
                    members.append(Member(name: start, value: position))
                    name = nil
                }
                switch byte {
                case UInt8(ascii: "\""):
                    if depth == 1, awaitsName {
                        name = position
                        awaitsName = false
                    }
                    guard skipString() else { return nil }
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    awaitsName = depth == 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    if depth == 0 { return position + 1 }
                case UInt8(ascii: ","): awaitsName = depth == 1
                default: break
                }
                position += 1
            }
            return nil
        }

        /// - Returns: whether the string ends.
        private mutating func skipString() -> Bool {
            position += 1
            while position < file.endIndex {
                let byte = file[position]
                position += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { return true }
            }
            return false
        }
    }
}
