import Bytes

/// One line of a source file.
package struct TextLine {
    /// Its bytes in the file, without the line end.
    package let range: Range<Int>
    /// Where the next line begins.
    package let next: Int

    /// `nil` at the end of the file.
    package init?(_ file: Span<UInt8>, at start: Int) {
        guard start < file.count else { return nil }
        let end = file.position(of: 10, from: start)
        range = start..<end
        next = min(end + 1, file.count)
    }

    /// Whether the line is one of `fences`, ignoring white space and invisible characters around it.
    ///
    /// - Parameters:
    ///   - fences: of the characters `-`, `+` and `.`.
    ///   - indentation: the number of spaces allowed before the fence.
    func isFence(_ fences: [String], in file: [UInt8], indentation: Int = 0) -> Bool {
        // Nearly every line has a letter.
        let isText: (UInt8) -> Bool = {
            (0x21..<0x7F).contains($0) && $0 != 0x2B && $0 != 0x2D && $0 != 0x2E
        }
        if range.count > 255 || file[range].contains(where: isText) { return false }
        var visible = String(decoding: file[range], as: UTF8.self).unicodeScalars[...]
        let spaces = visible.prefix(while: \.isInvisible).count(where: \.properties.isWhitespace)
        visible = visible.drop(while: \.isInvisible)
        while visible.last?.isInvisible == true { visible.removeLast() }
        return spaces <= indentation && fences.contains { $0.unicodeScalars.elementsEqual(visible) }
    }

    /// Whether the line begins like `key: value` or `key = value`, in any of YAML's spellings: with
    /// quotes, escapes, braces, a tag or an anchor, or as `? key` and `: value`.
    func hasKey(in file: [UInt8]) -> Bool {
        let line = file[range].drop { [9, 32].contains($0) }
        if line.starts(with: "? ".utf8) { return true }
        let key = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
        let words = key.split { "\t {\"'".utf8.contains($0) }
            .drop { $0.first == UInt8(ascii: "!") || $0.first == UInt8(ascii: "&") }
        let isName = words.first?.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte >= 0x80
                || "_-.\\".utf8.contains(byte)
        }
        return key.endIndex < line.endIndex && words.count < 2 && isName ?? true
    }
}
