import Bytes

/// The text of a file that a person wrote, as UTF-8 with line feeds.
///
/// Windows PowerShell's `Out-File` writes UTF-16, Notepad wrote a byte-order mark for years, and old
/// editors end lines with a carriage return alone. If such front matter were not recognised, the
/// page would be open to everybody who signs in; a mark before a secret would be a part of it. So
/// every such file is decoded here first, or refused.
public struct DecodedText: Sendable {
    /// Why a file is not text, and where; line and column from 1, the column in bytes.
    public struct Mistake: Sendable, Equatable {
        public let message: String
        public var line = 1
        public var column = 1

        /// - Parameter linesAbove: the number of lines above the text in the file.
        public func diagnostic(in path: String, linesAbove: Int = 0) -> Diagnostic {
            let location = SourceLocation(path, line: linesAbove + line, column: column)
            return Diagnostic(.error, message, at: location)
        }
    }

    /// Without a byte-order mark and carriage returns; empty if there is a mistake.
    public let utf8: [UInt8]
    public let mistake: Mistake?

    public init(_ bytes: [UInt8]) {
        do {
            utf8 = try Self.decode(bytes)
            mistake = nil
        } catch {
            utf8 = []
            mistake = error
        }
    }

    /// Whether a file is a pointer of Git LFS, version 1 (its specification, "The Pointer").
    public static func isPointer(_ start: [UInt8]) -> Bool {
        start.starts(with: "version https://git-lfs.github.com/spec/".utf8)
    }

    public static let pointer =
        "is a pointer of Git LFS, not the file itself; run 'git lfs pull' before the build, or set "
        + "'lfs: true' where the CI checks out"

    private static func decode(_ bytes: [UInt8]) throws(Mistake) -> [UInt8] {
        if isPointer(bytes) { throw Mistake(message: pointer) }
        // Byte-order marks of UTF-32 and UTF-16.
        if let first = bytes.first, [0, 0xFE, 0xFF].contains(first) {
            if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
                throw Mistake(message: "is UTF-32; save it as UTF-8")
            }
            if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, low: 0) }
            if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, low: 1) }
        }
        if let offset = firstInvalid(bytes) {
            let byte = "0x" + String(bytes[offset], radix: 16, uppercase: true)
            let message =
                "is not UTF-8: the byte \(byte) is not part of a character; save it as UTF-8"
            throw mistake(message, bytes, offset)
        }
        return try withLineFeeds(bytes)
    }

    /// - Parameter low: the index of the low byte in each pair.
    private static func utf16(_ bytes: [UInt8], low: Int) throws(Mistake) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
            UInt16(bytes[index + low]) | UInt16(bytes[index + 1 - low]) << 8
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            let (line, isComplete) = firstInvalid(units)
            let reason = isComplete ? "ends in the middle of a character" : "has half a character"
            throw Mistake(message: "is UTF-16 and \(reason); save it as UTF-8", line: line)
        }
        return try withLineFeeds(Array(text.utf8))
    }

    /// The line of the first unpaired surrogate, or the last line.
    private static func firstInvalid(_ units: [UInt16]) -> (line: Int, isComplete: Bool) {
        var line = 1
        var index = 0
        while index < units.count {
            let unit = units[index]
            if (0xD800...0xDBFF).contains(unit) {
                guard index + 1 < units.count, (0xDC00...0xDFFF).contains(units[index + 1]) else {
                    return (line, false)
                }
                index += 1
            } else if (0xDC00...0xDFFF).contains(unit) {
                return (line, false)
            }
            if unit == 10 { line += 1 }
            index += 1
        }
        return (line, true)
    }

    private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    /// Drops byte-order marks (RFC 3629, section 6), turns each line end into a line feed, and
    /// refuses NUL.
    private static func withLineFeeds(_ bytes: [UInt8]) throws(Mistake) -> [UInt8] {
        let nul = bytes.span.position(of: 0)
        if nul < bytes.count {
            let message = "contains a NUL byte, as UTF-16 does; save it as UTF-8"
            throw mistake(message, bytes, nul)
        }
        var text = bytes[...]
        while text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard bytes.span.position(of: 13) < bytes.count else {
            return text.count == bytes.count ? bytes : Array(text)
        }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.count)
        for index in text.indices {
            if text[index] != 13 {
                lines.append(text[index])
            } else if index + 1 == text.endIndex || text[index + 1] != 10 {
                lines.append(10)
            }
        }
        return lines
    }

    private static func mistake(_ message: String, _ bytes: [UInt8], _ offset: Int) -> Mistake {
        let before = bytes[..<offset]
        let isEnd: (UInt8) -> Bool = { $0 == 10 || $0 == 13 }
        var line = 1
        for index in before.indices
        where before[index] == 10
            || (before[index] == 13 && index + 1 < bytes.count && bytes[index + 1] != 10)
        {
            line += 1
        }
        let start = before.lastIndex(where: isEnd).map { $0 + 1 } ?? 0
        return Mistake(message: message, line: line, column: offset - start + 1)
    }
}

extension DecodedText.Mistake: Error {}
