/// Reference definitions that no link of the document uses.
enum UnusedDefinitions {
    static func diagnostics(in source: SourceText) -> [MarkdownDiagnostic] {
        guard source.allTraits.contains(.definition) else { return [] }
        var uses: [[UInt8]: Int] = [:]
        var definitions: [(label: ArraySlice<UInt8>, line: Int, column: Int)] = []
        for (index, line) in source.lines.enumerated()
        where source.traits[index].contains(.bracket) {
            // Computed once a line: 100,000 spaces may stand before each of its brackets.
            let start =
                line.first { position in
                    let byte = source.bytes[position]
                    return !byte.isSpaceOrTab && byte != UInt8(ascii: ">")
                } ?? line.upperBound
            for position in line where source.bytes[position] == UInt8(ascii: "[") {
                guard let (label, end) = LinkLabels.label(source.bytes, at: position),
                    !label.isEmpty, label.first != UInt8(ascii: "^")
                else { continue }
                let isDefinition =
                    position == start && end < line.upperBound
                    && source.bytes[end] == UInt8(ascii: ":")
                if isDefinition {
                    definitions.append((label, index + 1, position - line.lowerBound + 1))
                } else {
                    uses[key(label), default: 0] += 1
                }
            }
        }
        let unused = definitions.filter { uses[key($0.label)] == nil }
        if unused.isEmpty { return [] }
        // A line in code or in a paragraph may look like a definition; libcmark tells.
        let asked = unused.map { Array("[".utf8) + $0.label + Array("]".utf8) }
        let labels = LinkLabels(of: asked, in: source)
        return unused.filter { labels[$0.label] != nil }.map { label, line, column in
            MarkdownDiagnostic(
                .unusedDefinition(label: String(decoding: label, as: UTF8.self)),
                at: SourceRange(line: line, column: column, length: label.count + 2)
            )
        }
    }

    private static func key(_ label: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: label, as: UTF8.self).uppercased().lowercased()
        return Array(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").utf8)
    }
}
