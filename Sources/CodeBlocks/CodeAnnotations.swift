import Bytes

/// Notes on lines of code, as Material for MkDocs writes them: `# (1)!` at the end of a line belongs
/// to the first item of the list below the block.
package enum CodeAnnotations {
    static let comments = ["<!--", "{/*", "/*", "#", "//", "--", ";", "%", "'"]
    static let ends = ["*/}", "*/", "-->"]

    /// The code with a sign such as `❶` in place of each comment that is only a number.
    package static func numbered(_ code: [UInt8]) -> [UInt8] {
        let lines = code.split(separator: .newline, omittingEmptySubsequences: false)
        return Array(lines.map(replaced).joined(separator: [.newline]))
    }

    /// Whether a mark with `!` is left: readers would see it.
    package static func areLeft(in text: [UInt8]) -> Bool {
        let code = text.span
        var index = code.position(of: exclamation)
        while index < code.count {
            // Behind it stands the end of a comment at most; a line may be as long as the page.
            let rest = code.extracting(index..<min(index + 10, code.count))
            let end = index + rest.position(of: .newline)
            let isAtEnd = end == code.count || code[end] == .newline
            if isAtEnd, index > 0, code[index - 1] == UInt8(ascii: ")") {
                var start = index
                while start > 0, code[start - 1] != .newline { start -= 1 }
                if mark(in: text[start..<end]) != nil { return true }
            }
            index = code.position(of: exclamation, from: index + 1)
        }
        return false
    }

    private static let exclamation = UInt8(ascii: "!")

    private static func replaced(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let (text, number) = mark(in: line), let sign = sign(number) else { return line }
        return text + Array(sign.utf8)
    }

    /// The number at the end of a line, and what stands before its comment.
    private static func mark(in line: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, number: Int)?
    {
        var rest = line
        rest.removeLast(whileSpace: ())
        rest.removeLast(ofComment: ())
        if rest.last == exclamation { rest.removeLast() }
        guard rest.last == UInt8(ascii: ")"), let open = rest.lastIndex(of: UInt8(ascii: "(")),
            let number = Int(
                String(decoding: rest[(open + 1)..<(rest.endIndex - 1)], as: UTF8.self)
            )
        else { return nil }
        rest = rest[..<open]
        rest.removeLast(whileSpace: ())
        return rest.removeLast(ofComments: comments) ? (rest, number) : nil
    }

    /// Unicode has white numbers in black circles up to 20.
    private static func sign(_ number: Int) -> String? {
        let value: Int
        switch number {
        case 1...10: value = 0x2776 + number - 1
        case 11...20: value = 0x24EB + number - 11
        default: return nil
        }
        return Unicode.Scalar(UInt32(value)).map { String(Character($0)) }
    }
}

extension ArraySlice<UInt8> {
    mutating func removeLast(whileSpace: Void) {
        while last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { removeLast() }
    }

    /// Takes the mark off that ends a comment, if there is one, and the spaces around it.
    mutating func removeLast(ofComment: Void) {
        removeLast(whileSpace: ())
        if removeLast(ofComments: CodeAnnotations.ends) { removeLast(whileSpace: ()) }
    }

    /// Takes one of some marks off the end; whether one stood there.
    mutating func removeLast(ofComments marks: [String]) -> Bool {
        guard let mark = marks.first(where: { suffix($0.utf8.count).elementsEqual($0.utf8) }) else {
            return false
        }
        removeLast(mark.utf8.count)
        return true
    }
}
