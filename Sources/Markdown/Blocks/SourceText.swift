/// A document's bytes and where its lines lie, as libcmark takes them apart.
struct SourceText {
    /// Valid UTF-8 without a byte order mark.
    private(set) var bytes: [UInt8]
    /// The lines without their ends.
    let lines: [Range<Int>]

    init(_ markdown: [UInt8]) {
        bytes = Self.repaired(markdown)
        lines = Self.lines(of: bytes)
    }

    /// - Parameter number: from 1.
    func line(_ number: Int) -> Range<Int> { lines[number - 1] }

    func isBlank(_ number: Int) -> Bool {
        line(number).allSatisfy { bytes[$0].isSpaceOrTab }
    }

    private static func repaired(_ markdown: [UInt8]) -> [UInt8] {
        var bytes = markdown
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let isValid = (try? UTF8Span(validating: bytes.span)) != nil
        if isValid, !bytes.contains(0) { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(
            text.split(separator: "\0", omittingEmptySubsequences: false)
                .joined(separator: "\u{FFFD}").utf8
        )
    }

    private static func lines(of bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        lines.reserveCapacity(bytes.count / 32)
        var start = 0
        var index = 0
        let span = bytes.span
        while index < span.count {
            let byte = span[index]
            index += 1
            guard byte == .newline || byte == .carriageReturn else { continue }
            lines.append(start..<index - 1)
            if byte == .carriageReturn, index < span.count, span[index] == .newline { index += 1 }
            start = index
        }
        if start < span.count { lines.append(start..<span.count) }
        return lines
    }
}
