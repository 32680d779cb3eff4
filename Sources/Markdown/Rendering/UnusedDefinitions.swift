import Bytes

/// Reference definitions that no link of the document uses.
enum UnusedDefinitions {
    static func diagnostics(in tree: BlockTree) -> [MarkdownDiagnostic] {
        let definitions = tree.labels.definitions
        if definitions.isEmpty { return [] }
        let source = tree.source
        var uses: Set<[UInt8]> = []
        for line in source.lines {
            // Computed once a line: 100,000 spaces may stand before each of its brackets.
            let start =
                line.first { position in
                    let byte = source.bytes[position]
                    return !byte.isSpaceOrTab && byte != UInt8(ascii: ">")
                } ?? line.upperBound
            for position in line where source.bytes[position] == UInt8(ascii: "[") {
                guard let (label, end) = LinkLabels.label(source.bytes, at: position) else {
                    continue
                }
                let isDefinition =
                    position == start && end < line.upperBound
                    && source.bytes[end] == UInt8(ascii: ":")
                if !isDefinition { uses.insert(LinkLabels.key(label)) }
            }
        }
        // People write comments as '[//]: # (a comment)'.
        let isComment = { (label: String) in ["//", "comment"].contains(label.lowercased()) }
        return definitions.filter { !uses.contains($0.key) && !isComment($0.label) }.map {
            let length = $0.label.utf8.count + 2
            return MarkdownDiagnostic(
                .unusedDefinition(label: $0.label),
                at: SourceRange(line: $0.line, column: $0.column, length: length)
            )
        }
    }
}
