/// A line that marks where a region of a file begins or ends, mostly in a comment.
enum RegionMarker: Equatable {
    case start(String)
    case end(String)
    /// `#region name`, which the next `#endregion` ends.
    case nestedStart(String)
    case nestedEnd

    /// - Parameter name: the region that is looked for: only for it, `<name>` is a marker.
    init?(_ line: ArraySlice<UInt8>, isNamed name: String) {
        if let marker = Self.common(line) {
            self = marker
            return
        }
        // Lines without these bytes mark nothing.
        guard line.contains(where: { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "<") }) else {
            return nil
        }
        let text = String(decoding: line.prefix(200), as: UTF8.self)
        if text.contains("#endregion") {
            self = .nestedEnd
        } else if let range = text.firstRange(of: "#region") {
            self = .nestedStart(Self.word(text[range.upperBound...]))
        } else if !name.isEmpty, text.hasSuffix("</\(name)>") {
            self = .end(name)
        } else if !name.isEmpty, text.hasSuffix("<\(name)>") {
            self = .start(name)
        } else {
            return nil
        }
    }

    /// Whether the line marks a region in every tool's eyes.
    static func isMarker(_ line: ArraySlice<UInt8>) -> Bool { common(line) != nil }

    /// `--8<-- [start:name]` of PyMdown, `ANCHOR: name` of mdBook.
    private static func common(_ line: ArraySlice<UInt8>) -> RegionMarker? {
        // Nearly every line has neither.
        var mark: Int?
        for index in line.indices where line[index] == UInt8(ascii: "<") || line[index] == 0x41 {
            let rest = line[index...]
            let isSnippet =
                rest.starts(with: "<-".utf8) && line[..<index].suffix(2).elementsEqual("-8".utf8)
            if isSnippet || rest.starts(with: "ANCHOR".utf8) {
                mark = index
                break
            }
        }
        guard let mark else { return nil }
        let isAnchor = line[mark] == 0x41
        let rest = String(decoding: line[mark...].prefix(200), as: UTF8.self)
        if isAnchor {
            if rest.hasPrefix("ANCHOR_END:") { return named(rest.dropFirst(11)) { .end($0) } }
            return rest.hasPrefix("ANCHOR:") ? named(rest.dropFirst(7)) { .start($0) } : nil
        }
        let words = rest.dropFirst().drop { $0 == "-" }.drop { $0 == " " || $0 == "\t" }
        guard words.first == "[", let end = words.firstIndex(of: "]") else { return nil }
        let parts = words[..<end].dropFirst().split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch word(parts[0]) {
        case "start": return named(parts[1]) { .start($0) }
        case "end": return named(parts[1]) { .end($0) }
        default: return nil
        }
    }

    private static func named(
        _ text: Substring,
        _ make: (String) -> RegionMarker
    ) -> RegionMarker? {
        let name = word(text)
        return name.isEmpty ? nil : make(name)
    }

    private static func word(_ text: Substring) -> String {
        String(
            text.drop { $0 == " " || $0 == "\t" }
                .prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        )
    }
}
