import Bytes

/// Tables, footnotes and blocks of other tools.
extension BlockParser {
    static let dollar = UInt8(ascii: "$")
    static let colon = UInt8(ascii: ":")

    /// Begins a block that CommonMark does not have.
    mutating func beginExtension(at start: Int, _ indent: Int) -> Beginning {
        let rest = bytes[start..<cursor.end]
        switch bytes[start] {
        case UInt8(ascii: "["):
            guard let (label, text) = footnote(rest) else { return .none }
            begin(.footnote, at: start, .footnote(label: label))
            self[container].indent = 4
            lastExtension = line
            footnotes.append(label)
            cursor.advance(to: text, bytes)
            return .container
        case Self.dollar where options.formulas: return beginFence(rest, info: "math")
        case Self.colon:
            let word = rest.drop { $0 == Self.colon || $0.isSpaceOrTab }
            if rest.starts(with: ":::".utf8), word.starts(with: "mermaid".utf8) {
                return beginFence(rest, info: String(decoding: word, as: UTF8.self))
            }
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "*"),
            UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "<"), UInt8(ascii: "/"):
            break
        default: return .none
        }
        let known = behindHTML?.line == line ? behindHTML?.found : nil
        guard let found = known ?? dialects.block(rest, onLine: line) else { return .none }
        return begin(found, at: start, indent)
    }

    /// `[^label]:`, and where its text begins.
    private func footnote(_ rest: ArraySlice<UInt8>) -> (label: String, text: Int)? {
        guard rest.starts(with: "[^".utf8) else { return nil }
        let label = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "]") && !$0.isWhitespace }
        let behind = rest[label.endIndex...]
        guard !label.isEmpty, behind.starts(with: "]:".utf8) else { return nil }
        let text = behind.dropFirst(2).drop(while: \.isSpaceOrTab).startIndex
        return (String(decoding: label, as: UTF8.self), text)
    }

    /// Begins code that is no code to its author: `$$`, `::: mermaid`.
    ///
    /// Without an end it is text.
    private mutating func beginFence(_ rest: ArraySlice<UInt8>, info: String) -> Beginning {
        let mark = bytes[rest.startIndex]
        let fence = Fence(mark: mark, length: mark == Self.dollar ? 2 : 3)
        if mark == Self.dollar, !fence.ends(on: rest) { return .none }
        if lineThatEnds(fence) == nil { return .none }
        beginFence(fence, at: rest.startIndex, info: Array(info.utf8)[...])
        return .line
    }

    /// The next line that ends a fence.
    mutating func lineThatEnds(_ fence: Fence) -> Int? {
        let known = fenceEnds[fence] ?? line
        if known == 0 || known > line { return known == 0 ? nil : known }
        let end = source.lines[line...].firstIndex {
            fence.ends(on: bytes[source.contentStart($0)..<$0.upperBound])
        }
        fenceEnds[fence] = end.map { $0 + 1 } ?? 0
        return end.map { $0 + 1 }
    }

    // MARK: Other tools

    private mutating func begin(
        _ found: DialectLines.Found,
        at start: Int,
        _ indent: Int
    ) -> Beginning {
        switch found.block {
        case .definition:
            begin(item: .definitions, at: start)
            cursor.advance(to: start + 1, bytes)
            cursor.advance(to: cursor.firstNonspace(bytes).offset, bytes)
            self[container].indent = found.indent
            lastExtension = line
            return .container
        case _ where found.indent > 0:
            begin(.dialectContainer, at: start, .dialect(found.block))
            self[container].indent = min(4, found.indent + indent)
        default:
            if case .abbreviation(let name, let meaning) = found.block {
                abbreviations.define(name, meaning)
            }
            lastLineOfTag = found.lastLine
            begin(line: found.block, at: start)
            if let inner = found.inner { append(inner, in: found.block, at: start) }
        }
        return .line
    }

    /// Adds what stands between a tag and its end on one line.
    private mutating func append(_ inner: Range<Int>, in block: DialectBlock, at start: Int) {
        begin(.paragraph, at: inner.lowerBound)
        let column = inner.lowerBound - source.line(line).lowerBound + 1
        self[container].text.append(bytes[inner], line: line, column: column)
        self[container].text.mayBeForeign = source.traits[line - 1].contains(.foreign)
        endBlock(on: line)
        begin(line: .end(block.named), at: start)
    }

    mutating func begin(line block: DialectBlock, at start: Int) {
        begin(.dialectLine, at: start, .dialect(block))
        endBlock(on: line)
    }

    // MARK: Tables

    /// Makes the last line of the paragraph the header of a table, if the line is a delimiter row.
    mutating func beginTable(indent: Int) throws(RenderLimitError) -> Bool {
        guard !options.commonMarkOnly, indent < 4, "|:-".utf8.contains(bytes[cursor.offset]),
            let alignments = TableSyntax.alignments(bytes[cursor.offset..<cursor.end])
        else { return false }
        let text = self[container].text
        let start = text.startOfLastLine
        let cells = TableSyntax.cells(text.bytes, start..<text.bytes.count)
        guard cells?.count == alignments.count else { return false }
        let header = text.location(at: start)
        self[container].text.removeLastLine()
        endBlock(on: max(header.line - 1, self[container].line))
        let first = source.line(header.line).lowerBound + header.column - 1
        begin(.table, at: first, .table(index: tables.count))
        tables.append(Table(line: header.line, alignments: alignments))
        append(row: header.line, from: first)
        return true
    }

    /// Adds a row to the table that is open; `false` where the line has no cell.
    mutating func addRow(from start: Int) throws(RenderLimitError) -> Bool {
        guard append(row: line, from: start) else { return false }
        let table = tables.count - 1
        cellCount += tables[table].alignments.count
        if cellCount > 100_000 + 4 * bytes.count {
            let message = "the table has \(cellCount) cells, and most of them are empty"
            throw RenderLimitError(message: message, line: tables[table].line)
        }
        return true
    }

    @discardableResult
    private mutating func append(row number: Int, from start: Int) -> Bool {
        let range = source.line(number)
        guard let cells = TableSyntax.cells(bytes, start..<range.upperBound) else { return false }
        let column = start - range.lowerBound + 1
        let row = Table.Row(line: number, column: column, cells: cells)
        tables[tables.count - 1].rows.append(row)
        return true
    }
}

/// A table, as far as blocks are concerned.
struct Table {
    struct Row {
        let line: Int
        let column: Int
        /// In bytes of the document.
        let cells: [Range<Int>]
    }

    let line: Int
    let alignments: [TableSyntax.Alignment?]
    /// The first one is the header.
    var rows: [Row] = []
}
