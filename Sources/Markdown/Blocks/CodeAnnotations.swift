import Bytes

/// Notes on lines of code, as Material for MkDocs writes them: `# (1)!` at the end of a line belongs
/// to the first item of the list below the block.
enum CodeAnnotations {
    private static let comments = ["<!--", "#", "//", "--", ";", "%", "/*", "'"]
    private static let ends = ["*/", "-->"]

    /// The code with a sign such as `❶` in place of each comment that is only a number.
    static func numbered(_ code: Span<UInt8>) -> [UInt8] {
        var numbered: [UInt8] = []
        var start = 0
        for index in 0...code.count {
            guard index == code.count || code[index] == UInt8(ascii: "\n") else { continue }
            var line: [UInt8] = []
            for position in start..<index { line.append(code[position]) }
            numbered += replaced(line)
            if index < code.count { numbered.append(UInt8(ascii: "\n")) }
            start = index + 1
        }
        return numbered
    }

    /// Whether a mark with `!` is left: readers would see it.
    static func areLeft(in code: Span<UInt8>) -> Bool {
        var index = code.position(of: exclamation)
        while index < code.count {
            // Behind it stands the end of a comment at most; a line may be as long as the page.
            let rest = code.extracting(index..<min(index + 10, code.count))
            let end = index + rest.position(of: .newline)
            let isAtEnd = end == code.count || code[end] == .newline
            if isAtEnd, index > 0, code[index - 1] == UInt8(ascii: ")") {
                var start = index
                while start > 0, code[start - 1] != .newline { start -= 1 }
                var line: [UInt8] = []
                for position in start..<end { line.append(code[position]) }
                if mark(in: line) != nil { return true }
            }
            index = code.position(of: exclamation, from: index + 1)
        }
        return false
    }

    private static let exclamation = UInt8(ascii: "!")

    private static func replaced(_ line: [UInt8]) -> [UInt8] {
        guard let (text, number) = mark(in: line), let sign = sign(number) else { return line }
        return text + Array(sign.utf8)
    }

    /// The number at the end of a line, and what stands before its comment.
    private static func mark(in line: [UInt8]) -> (text: ArraySlice<UInt8>, number: Int)? {
        var rest = line[...]
        rest.removeLast(whileSpace: ())
        for end in ends where rest.reversed().starts(with: end.utf8.reversed()) {
            rest.removeLast(end.utf8.count)
            rest.removeLast(whileSpace: ())
        }
        if rest.last == exclamation { rest.removeLast() }
        guard rest.last == UInt8(ascii: ")"), let open = rest.lastIndex(of: UInt8(ascii: "(")),
            let number = Int(
                String(decoding: rest[(open + 1)..<(rest.endIndex - 1)], as: UTF8.self)
            )
        else { return nil }
        rest = rest[..<open]
        rest.removeLast(whileSpace: ())
        for comment in comments where rest.reversed().starts(with: comment.utf8.reversed()) {
            return (rest.dropLast(comment.utf8.count), number)
        }
        return nil
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
    fileprivate mutating func removeLast(whileSpace: Void) {
        while last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { removeLast() }
    }
}
