import CommonMark

/// Where something stands in a document.
struct SourceRange {
    var line: Int
    /// In bytes, from 1.
    var column: Int
    /// In bytes, where it ends on the same line.
    var length: Int?

    init(line: Int, column: Int, length: Int?) {
        self.line = line
        self.column = column
        self.length = length
    }

    init(_ node: Node) {
        line = node.line
        column = node.column
        let isKnown = node.endLine == node.line && node.endColumn >= node.column
        length = isKnown ? node.endColumn - node.column + 1 : nil
    }
}
