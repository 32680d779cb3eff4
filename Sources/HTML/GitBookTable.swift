import Bytes

/// The tables of a text in HTML as GitBook means them: without hidden columns, and with rows that are
/// cards in `data-view="cards"`.
package struct GitBookTable {
    /// HTML that needs no attribute of GitBook.
    package private(set) var html: [UInt8] = []
    /// Where parts of ``html`` begin, there and in the source.
    private var parts: [(start: Int, source: Int, isCopied: Bool)] = []
    private let source: [UInt8]

    private typealias Cell = (tag: HTMLTag, end: Int)

    /// `nil` for HTML without such a table.
    package init?(_ source: [UInt8]) {
        self.source = source
        guard source.firstRange(of: Self.mark) != nil else { return nil }
        var tokenizer = HTMLTokenizer(source)
        var copied = 0
        var table: HTMLTag?
        var rows: [[Cell]] = []
        var isOpen = false
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let tag) where tag.name == "table":
                if table != nil { return nil }
                (table, rows) = (tag, [])
            case .startTag(let tag) where table != nil && Self.ends.contains(tag.name):
                if isOpen { end(&rows, at: tag.range.lowerBound) }
                isOpen = tag.name == "th" || tag.name == "td"
                if tag.name == "tr" { rows.append([]) }
                if isOpen {
                    if rows.isEmpty { return nil }
                    rows[rows.count - 1].append((tag, tag.range.upperBound))
                }
            case .endTag(let name, let range) where table != nil:
                if isOpen, name == "table" || Self.ends.contains(name) {
                    isOpen = false
                    end(&rows, at: range.lowerBound)
                }
                guard name == "table", let whole = table else { continue }
                copy(copied..<whole.range.lowerBound)
                write(whole, to: range.upperBound, rows)
                copied = range.upperBound
                table = nil
            default: break
            }
        }
        if table != nil { return nil }
        copy(copied..<source.count)
    }

    private static let mark = Array("data-".utf8)
    private static let ends: Set<String> = ["th", "td", "tr", "thead", "tbody", "tfoot"]

    private func end(_ rows: inout [[Cell]], at place: Int) {
        let row = rows.count - 1
        rows[row][rows[row].count - 1].end = place
    }

    /// The offset in the source of an offset in ``html``.
    package func source(of offset: Int) -> Int {
        var range = 0..<parts.count
        while range.count > 1 {
            let middle = (range.lowerBound + range.upperBound) / 2
            let isBehind = parts[middle].start <= offset
            range = isBehind ? middle..<range.upperBound : range.lowerBound..<middle
        }
        guard let part = range.first.map({ parts[$0] }) else { return 0 }
        return part.isCopied ? part.source + offset - part.start : part.source
    }

    private mutating func copy(_ range: Range<Int>) {
        parts.append((html.count, range.lowerBound, true))
        html += source[range]
    }

    private mutating func write(_ text: String, at place: Int) {
        parts.append((html.count, place, false))
        html += text.utf8
    }

    private mutating func write(_ table: HTMLTag, to end: Int, _ rows: [[Cell]]) {
        let start = table.range.lowerBound
        let heads = (rows.first ?? []).map { cell in Set(cell.tag.attributes.map(\.name)) }
        let isCards = table.attributes.contains { $0.name == "data-view" && $0.value == "cards" }
        if isCards {
            write("<div class=\"grid cards\">\n<ul>\n", at: start)
            for row in rows.dropFirst() where !row.isEmpty { write(card: row, heads) }
            return write("</ul>\n</div>", at: start)
        }
        var copied = start
        for row in rows {
            for (cell, head) in zip(row, heads) where head.contains("data-hidden") {
                copy(copied..<cell.tag.range.lowerBound)
                // With its end tag.
                let closing = Array("</\(cell.tag.name)>".utf8)
                let isClosed = source[cell.end...].starts(with: closing)
                copied = cell.end + (isClosed ? closing.count : 0)
            }
        }
        copy(copied..<end)
    }

    private mutating func write(card row: [Cell], _ heads: [Set<String>]) {
        func target(_ column: String) -> Range<Int>? {
            let cell = zip(row, heads).first { $1.contains(column) }?.0
            return cell.flatMap { address(in: $0.tag.range.upperBound..<$0.end) }
        }
        let place = row[0].tag.range.lowerBound
        write("<li>", at: place)
        if let cover = target("data-card-cover") { write("<img alt=\"\" src=", cover, ">") }
        var page = target("data-card-target")
        for (cell, head) in zip(row, heads) where !head.contains("data-hidden") {
            let content = cell.tag.range.upperBound..<cell.end
            guard hasContent(content) else { continue }
            let link = address(in: content) == nil ? page : nil
            write("<div>", at: content.lowerBound)
            if let link { write("<a href=", link, ">") }
            copy(content)
            write(link == nil ? "</div>" : "</a></div>", at: content.lowerBound)
            if link != nil { page = nil }
        }
        if let page {
            // GitBook shows the title of the page.
            write("<div><a data-mention href=", page, ">")
            copy(page.lowerBound + 1..<page.upperBound - 1)
            write("</a></div>", at: place)
        }
        write("</li>\n", at: place)
    }

    private mutating func write(_ before: String, _ address: Range<Int>, _ after: String) {
        write(before, at: address.lowerBound)
        copy(address)
        write(after, at: address.lowerBound)
    }

    /// Whether a cell has more than icons.
    private func hasContent(_ range: Range<Int>) -> Bool {
        let cell = Array(source[range])
        var tokenizer = HTMLTokenizer(cell)
        var isInIcon = false
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let tag):
                if tag.name == "img" { return true }
                isInIcon = isInIcon || tag.isIcon
            case .endTag("i", _): isInIcon = false
            case .text(let text):
                if !isInIcon, !cell[text].allSatisfy(\.isWhitespace) { return true }
            default: break
            }
        }
        return false
    }

    /// The first address in a cell, in quotation marks.
    private func address(in range: Range<Int>) -> Range<Int>? {
        for tag in HTMLTokenizer.startTags(in: Array(source[range])) {
            let name = ["a": "href", "img": "src"][tag.name]
            guard let found = tag.attributes.first(where: { $0.name == name })?.valueRange,
                found.count > 2, "\"'".utf8.contains(source[range.lowerBound + found.lowerBound])
            else { continue }
            return range.lowerBound + found.lowerBound..<range.lowerBound + found.upperBound
        }
        return nil
    }
}
