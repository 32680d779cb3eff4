import Bytes

/// A document's bytes and where its lines lie.
struct SourceText {
    /// Valid UTF-8 without a byte order mark and without NUL.
    private(set) var bytes: [UInt8]
    /// The lines without their ends.
    private(set) var lines: [Range<Int>] = []
    /// Of each line.
    private(set) var traits: [LineTraits] = []
    /// Of all lines together.
    private(set) var allTraits: LineTraits = []
    /// How many `]` there are.
    private(set) var closingBrackets = 0

    init(_ markdown: [UInt8]) {
        bytes = markdown
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        scan()
        guard allTraits.contains(.unusual), let repaired = Self.repaired(bytes) else { return }
        self = SourceText(repaired)
    }

    /// - Parameter number: from 1.
    func line(_ number: Int) -> Range<Int> { lines[number - 1] }

    func isBlank(_ number: Int) -> Bool {
        let range = line(number)
        var position = range.lowerBound
        while position < range.upperBound, bytes[position].isSpaceOrTab { position += 1 }
        return position == range.upperBound
    }

    /// Where a line's text begins behind what looks like the marks of quotes and list items.
    func contentStart(_ line: Range<Int>) -> Int {
        var position = line.lowerBound
        while position < line.upperBound {
            let byte = bytes[position]
            if byte.isSpaceOrTab || byte == UInt8(ascii: ">") {
                position += 1
                continue
            }
            var end = position
            while end < line.upperBound, bytes[end].isDigit { end += 1 }
            guard end + 1 < line.upperBound, bytes[end + 1].isSpaceOrTab,
                (end > position ? ".)" : "-+*").utf8.contains(bytes[end])
            else { break }
            position = end + 1
        }
        return position
    }

    /// The text without NUL and without what is no UTF-8, or `nil` where it has neither.
    private static func repaired(_ bytes: [UInt8]) -> [UInt8]? {
        let isValid = (try? UTF8Span(validating: bytes.span)) != nil
        if isValid, !bytes.contains(0) { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(
            text.split(separator: "\0", omittingEmptySubsequences: false)
                .joined(separator: "\u{FFFD}").utf8
        )
    }

    /// The one pass over all bytes: finds the lines and their traits.
    private mutating func scan() {
        lines.reserveCapacity(bytes.count / 32)
        traits.reserveCapacity(bytes.count / 32)
        let shared = bytes
        let text = shared.span
        var start = 0
        var found: LineTraits = []
        var index = 0
        while index < text.count {
            // Most bytes are letters and spaces.
            if index <= text.count &- 8 {
                let count = text.word(at: index).leadingWords
                index &+= count
                if count == 8 { continue }
            }
            let byte = text[index]
            if byte == .newline || byte == .carriageReturn {
                append(start..<index, found, text)
                if byte == .carriageReturn {
                    if index + 1 < text.count, text[index + 1] == .newline { index += 1 }
                }
                start = index + 1
                found = []
            } else {
                if byte == UInt8(ascii: "]") { closingBrackets += 1 }
                found.formUnion(LineTraits(of: text, at: index))
            }
            index += 1
        }
        if start < text.count { append(start..<text.count, found, text) }
    }

    private mutating func append(
        _ line: Range<Int>,
        _ found: LineTraits,
        _ text: borrowing Span<UInt8>
    ) {
        // 'import' and 'export' of a module.
        let mayBeModule =
            line.count > 6 && text[line.lowerBound + 6] == .space
            && "ie".utf8.contains(text[line.lowerBound])
        let found = mayBeModule ? found.union(.foreign) : found
        lines.append(line)
        traits.append(found)
        allTraits.formUnion(found)
    }
}
