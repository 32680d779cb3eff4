import CommonMark

/// The quotes and list items around the node that a walk has reached; they tell how many bytes of a
/// line are marks.
struct ContainerStack {
    /// A container that a walk has entered.
    private struct Entered {
        let line: Int
        let isQuote: Bool
    }

    private struct Entry {
        let container: Container
        let line: Int
        /// Behind the mark that opened the container.
        let opened: LineCursor
    }

    private let source: SourceText
    private var entered: [Entered] = []
    /// Of the containers ``entered``, as far as a line was asked for.
    private var entries: [Entry] = []

    init(_ source: SourceText) { self.source = source }

    /// - Parameter node: a quote or an item.
    mutating func enter(_ node: Node) {
        entered.append(Entered(line: node.line, isQuote: node.kind == .blockQuote))
    }

    mutating func leave() {
        entered.removeLast()
        if entries.count > entered.count { entries.removeLast() }
    }

    /// Reads the marks of the containers; most have no line that is asked for.
    private mutating func readMarks() {
        while entries.count < entered.count { entries.append(entry(entered[entries.count])) }
    }

    private func entry(_ entered: Entered) -> Entry {
        // On the line where it opens, a container's mark stands after those of its parents.
        var cursor = cursor(onLine: entered.line)
        let (position, indent) = cursor.firstNonspace(source.bytes)
        if entered.isQuote {
            _ = Container.blockQuote.take(from: &cursor, source.bytes)
            return Entry(container: .blockQuote, line: entered.line, opened: cursor)
        }
        var markerEnd = position
        while markerEnd < cursor.end, source.bytes[markerEnd].isDigit { markerEnd += 1 }
        markerEnd = min(markerEnd + 1, cursor.end)
        cursor.advance(to: markerEnd, source.bytes)
        let spaces = cursor.firstNonspace(source.bytes).indent
        let isBlank = cursor.isBlank(source.bytes)
        // More than four spaces begin indented code, which keeps all but one of them.
        let padding = isBlank || spaces > 4 || spaces < 1 ? 1 : spaces
        cursor.advance(columns: padding, source.bytes)
        let needed = indent + (markerEnd - position) + padding
        return Entry(container: .item(indent: needed), line: entered.line, opened: cursor)
    }

    private func cursor(onLine line: Int) -> LineCursor {
        if let last = entries.last, last.line == line { return last.opened }
        var cursor = LineCursor(source.line(line))
        for entry in entries where !entry.container.take(from: &cursor, source.bytes) { break }
        return cursor
    }

    /// Where the text of a line stands.
    struct Content {
        /// Bytes of the line before its text.
        let start: Int
        /// Bytes of the line that its containers take.
        let marks: Int
        /// Columns that the containers take of the tab behind their marks.
        let columnsOfTab: Int
        /// Columns of that tab that belong to the text.
        let columnsOfTabLeft: Int
        /// Columns between what the containers take and the text.
        let indent: Int
        /// Whether a container around the text does not continue on the line.
        let isLazy: Bool
    }

    /// Where the text of a line begins, and whether all containers continue on the line.
    ///
    /// A line on which a container does not continue may still belong to a paragraph: a lazy
    /// continuation line (CommonMark 0.30, section 5.1).
    mutating func content(ofLine line: Int) -> Content {
        readMarks()
        var cursor: LineCursor
        var isLazy = false
        if let last = entries.last, last.line == line {
            cursor = last.opened
        } else {
            cursor = LineCursor(source.line(line))
            for entry in entries {
                var next = cursor
                guard entry.container.take(from: &next, source.bytes) else {
                    isLazy = true
                    break
                }
                cursor = next
            }
        }
        let (start, indent) = cursor.firstNonspace(source.bytes)
        let lineStart = source.line(line).lowerBound
        return Content(
            start: start - lineStart,
            marks: cursor.offset - lineStart,
            columnsOfTab: cursor.columnsOfTabTaken,
            columnsOfTabLeft: cursor.columnsOfTabLeft,
            indent: indent,
            isLazy: isLazy
        )
    }

    /// The lines of a paragraph's text or of that of a setext heading; `nil` for an ATX heading.
    mutating func textLines(of node: Node) -> ClosedRange<Int>? {
        if node.kind == .paragraph { return node.line...max(node.line, node.endLine) }
        if isATXHeading(node.line) { return nil }
        // libcmark is one line off where a setext heading ends, so its underline is looked for.
        var line = node.line
        while line < source.lines.count {
            let content = content(ofLine: line + 1)
            let next = source.bytes[source.line(line + 1)].dropFirst(content.start)
            if !content.isLazy, content.indent < 4, Self.isUnderline(next) {
                // An underline below definitions alone is text, so two lines are tried at most.
                let text = text(node.line...line).bytes
                if ReferenceDefinition.end(of: text) < text.count { break }
            }
            line += 1
            if line > node.endLine { return nil }
        }
        return line < source.lines.count ? node.line...line : nil
    }

    /// The text of lines without the marks of their containers.
    mutating func text(_ lines: ClosedRange<Int>) -> LeafText {
        var text = LeafText()
        for line in lines {
            let content = content(ofLine: line)
            // libcmark keeps the spaces before a lazy continuation line.
            let start = content.isLazy ? content.marks : content.start
            var rest = source.bytes[source.line(line)].dropFirst(start)
            if content.isLazy, content.columnsOfTab > 0 {
                let spaces = Array(repeating: UInt8.space, count: content.columnsOfTabLeft)
                rest = (spaces + rest.dropFirst())[...]
            }
            text.append(rest, line: line, column: start + 1)
        }
        return text
    }

    private mutating func isATXHeading(_ line: Int) -> Bool {
        let text = source.bytes[source.line(line)].dropFirst(content(ofLine: line).start)
        let rest = text.drop { $0 == UInt8(ascii: "#") }
        return rest.count < text.count && rest.count + 6 >= text.count
            && (rest.first.map(\.isSpaceOrTab) ?? true)
    }

    private static func isUnderline(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first == UInt8(ascii: "=") || first == UInt8(ascii: "-")
        else { return false }
        return text.drop { $0 == first }.allSatisfy(\.isSpaceOrTab)
    }
}
