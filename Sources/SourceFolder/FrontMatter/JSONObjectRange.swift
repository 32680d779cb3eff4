/// The end of a JSON object at the beginning of a text, and the positions of its members.
///
/// Jansson returns the values of an object, but not their positions. This type finds the positions
/// only, and never decides what a value is.
struct JSONObjectRange {
    /// A line and a column in the text, from 1.
    typealias Position = (line: Int, column: Int)

    /// Behind the closing brace; `nil` if it is missing.
    private(set) var end: Int?
    /// The beginning of the line below the object; `nil` if something else follows on its last line.
    private(set) var nextLine: Int?
    /// The members of the outermost object in their order: where name and value begin.
    private(set) var members: [(name: Position, value: Position)] = []

    /// `nil` if the bytes do not begin like an object: `{`, then a name or `}`.
    init?(at text: ArraySlice<UInt8>) {
        guard text.first == UInt8(ascii: "{"),
            let inside = text.dropFirst().first(where: { !Self.isSpace($0) }),
            inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}")
        else { return nil }
        var line: (number: Int, start: Int) = (1, text.startIndex)
        var depth = 0
        var string: (isOpen: Bool, isEscaped: Bool) = (false, false)
        // The last string in the object, and whether a value must follow it.
        var name: Position?
        var awaitsValue = false
        for index in text.indices where end == nil {
            let byte = text[index]
            if string.isOpen, byte != 10 {
                string.isOpen = string.isEscaped || byte != UInt8(ascii: "\"")
                string.isEscaped = !string.isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            if byte == 10 { line = (line.number + 1, index + 1) }
            if Self.isSpace(byte) { continue }
            let position = (line.number, index - line.start + 1)
            if awaitsValue, let name { members.append((name, position)) }
            awaitsValue = false
            switch byte {
            case UInt8(ascii: "\""):
                string.isOpen = true
                if depth == 1 { name = position }
            case UInt8(ascii: ":"): awaitsValue = depth == 1
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { end = index + 1 }
            default: break
            }
        }
        guard let end else { return }
        let below = text[end...].drop { $0 != 10 && Self.isSpace($0) }
        if below.isEmpty || below.first == 10 { nextLine = below.dropFirst().startIndex }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 13, 32].contains(byte) }
}
