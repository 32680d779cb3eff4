import POSIX

/// One line of a source file.
struct TextLine {
    /// Its bytes in the file, without the line end.
    let range: Range<Int>
    /// Where the next line begins.
    let next: Int

    /// `nil` at the end of the file.
    init?(_ file: Span<UInt8>, at start: Int) {
        guard start < file.count else { return nil }
        let end = file.position(of: 10, from: start)
        range = start..<end
        next = min(end + 1, file.count)
    }

    /// Whether the line is one of `fences`, ignoring white space and invisible characters after it.
    ///
    /// - Parameters:
    ///   - fences: of the characters `-`, `+` and `.`.
    ///   - indentation: the number of spaces allowed before the fence.
    func isFence(_ fences: [String], in file: [UInt8], indentation: Int = 0) -> Bool {
        guard range.count < 256 else { return false }
        for index in range {
            // Other visible characters: nearly every line ends here, at its first letter.
            switch file[index] {
            case 0x2B, 0x2D, 0x2E: continue
            case 0x21..<0x7F: return false
            default: continue
            }
        }
        var line = file[range]
        while let last = line.last, [9, 13, 32].contains(last) { line.removeLast() }
        if line.last.map({ $0 < 0x80 }) ?? true, line.first.map({ $0 < 0x80 && $0 != 32 }) ?? true {
            return fences.contains { $0.utf8.elementsEqual(line) }
        }
        let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
        let visible = scalars.filter { !InvisibleScalar.isInvisible($0) }
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let spaces = scalars.prefix(while: InvisibleScalar.isInvisible).count(where: isSpace)
        return spaces <= indentation && fences.contains { $0.unicodeScalars.elementsEqual(visible) }
    }

    /// Whether the line begins like `key: value` or `key = value`, in any of YAML's spellings: with
    /// quotes, escapes, braces, a tag or an anchor, or as `? key` and `: value`.
    func hasKey(in file: [UInt8]) -> Bool {
        var line = file[range].drop { [9, 32].contains($0) }
        if line.starts(with: "? ".utf8) || line.starts(with: ": ".utf8) { return true }
        while let first = line.first, first == UInt8(ascii: "!") || first == UInt8(ascii: "&") {
            line = line.drop { $0 != 32 }.drop { $0 == 32 }
        }
        if line.first == UInt8(ascii: "{") { line = line.dropFirst().drop { $0 == 32 } }
        if let quote = line.first, quote == 34 || quote == 39 {
            line = line.dropFirst()
            if let end = line.firstIndex(of: quote) {
                let rest = line[(end + 1)...].drop { $0 == 9 || $0 == 32 }
                if rest.first == 58 || rest.first == 61 { return true }
            }
        }
        let key = line.prefix { byte in
            (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte >= 0x80
                || "_-.".utf8.contains(byte)
        }
        let rest = line[key.endIndex...].drop { [9, 32, 34, 39].contains($0) }
        return !key.isEmpty && (rest.first == 58 || rest.first == 61)
    }
}
