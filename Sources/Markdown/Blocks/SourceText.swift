/// A document's bytes and where its lines lie, as libcmark takes them apart.
struct SourceText {
    /// Valid UTF-8 without a byte order mark and without NUL.
    private(set) var bytes: [UInt8]
    /// The lines without their ends.
    private(set) var lines: [Range<Int>] = []
    /// Of each line.
    private(set) var traits: [LineTraits] = []
    /// Of all lines together.
    private(set) var allTraits: LineTraits = []
    /// How many `[` and how many `]` there are.
    private(set) var brackets = (open: 0, close: 0)

    init(_ markdown: [UInt8]) {
        bytes = markdown
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        scan()
        guard allTraits.contains(.unusual), let repaired = Self.repaired(bytes) else { return }
        self = SourceText(repaired)
    }

    private init() { bytes = [] }

    /// - Parameter number: from 1.
    func line(_ number: Int) -> Range<Int> { lines[number - 1] }

    func isBlank(_ number: Int) -> Bool {
        let range = line(number)
        var position = range.lowerBound
        while position < range.upperBound, bytes[position].isSpaceOrTab { position += 1 }
        return position == range.upperBound
    }

    /// Whether one of some lines has one of some traits.
    func has(_ wanted: LineTraits, on numbers: ClosedRange<Int>) -> Bool {
        for number in numbers where !traits[number - 1].isDisjoint(with: wanted) { return true }
        return false
    }

    /// The text with some of its lines replaced.
    func replacing(_ replacement: (Int) -> [UInt8]?) -> SourceText {
        var text = SourceText()
        text.bytes.reserveCapacity(bytes.count + lines.count + 256)
        text.lines.reserveCapacity(lines.count)
        text.traits = traits
        text.allTraits = allTraits
        text.brackets = brackets
        for (index, line) in lines.enumerated() {
            let start = text.bytes.count
            if let other = replacement(index + 1) {
                text.bytes += other
                text.traits[index] = SourceText(other).allTraits
                text.allTraits.formUnion(text.traits[index])
            } else {
                text.bytes += bytes[line]
            }
            text.lines.append(start..<text.bytes.count)
            text.bytes.append(.newline)
        }
        return text
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
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): found.insert(.words)
            case .space: break
            case .newline, .carriageReturn:
                append(start..<index, found)
                let next = index + 1
                if byte == .carriageReturn, next < text.count, text[next] == .newline {
                    index += 1
                }
                start = index + 1
                found = []
            default:
                if byte == UInt8(ascii: "[") { brackets.open += 1 }
                if byte == UInt8(ascii: "]") { brackets.close += 1 }
                found.formUnion(LineTraits(of: text, at: index))
            }
            index += 1
        }
        if start < text.count { append(start..<text.count, found) }
    }

    private mutating func append(_ line: Range<Int>, _ found: LineTraits) {
        lines.append(line)
        // 'import' and 'export' of a module.
        let first = line.isEmpty ? 0 : bytes[line.lowerBound]
        let mayBeModule =
            (first == UInt8(ascii: "i") || first == UInt8(ascii: "e")) && line.count > 6
            && bytes[line.lowerBound + 6] == .space
        traits.append(mayBeModule ? found.union(.extensions) : found)
        allTraits.formUnion(traits[traits.count - 1])
    }
}
