import Bytes
import CodeBlocks

/// Finds the lines that begin or end blocks in the syntax of other tools, from the first line on.
struct DialectLines {
    struct Found {
        var block: DialectBlock
        /// The columns by which the block below is indented; 0 for one that ends with a line.
        var indent = 0
        /// What stands between a tag and its end on the same line.
        var inner: Range<Int>?
        /// The last line that belongs to it, if that is below.
        var lastLine = 0
    }

    private let source: SourceText
    private let isOn: Bool
    /// The blocks that are open and end with a line of their own, and the first signs of those lines.
    private var open: [(mark: UInt8, block: NamedBlock)] = []
    /// Whether a component of MDX is open, in which no indented text is code.
    var isInComponent: Bool { openComponents > 0 }
    private var openComponents = 0
    /// How many of them are tabs, by their sign.
    private var openTabs: [UInt8: Int] = [:]
    /// The last lines that end a shortcode or a component, by its name; `nil` as long as nobody asked.
    private var lastEnds: [String: Int]?
    /// The line with the next end of a comment, by that end; .max where there is none.
    private var commentEnds: [String: Int] = [:]
    /// Where the next `>` stands behind the last tag.
    private var nextTagEnd = -1

    init(_ source: SourceText, _ options: MarkdownOptions) {
        self.source = source
        isOn = options.borrowedBlocks
    }

    /// - Parameter content: the line behind the marks of containers.
    mutating func block(_ content: ArraySlice<UInt8>, onLine line: Int) -> Found? {
        guard isOn, let first = content.first else { return nil }
        switch first {
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="):
            guard let block = DialectBlock.indented(content),
                let indent = indent(below: block, line, content)
            else { return nil }
            return Found(block: block, indent: indent)
        case UInt8(ascii: "*"):
            guard let (name, meaning) = Abbreviations.definition(content) else { return nil }
            let block = DialectBlock.abbreviation(name: name, meaning: meaning)
            return Found(block: block)
        case UInt8(ascii: ":") where content.dropFirst().first?.isSpaceOrTab == true:
            guard content.dropFirst().contains(where: { !$0.isSpaceOrTab }), isBelowText(line)
            else { return nil }
            return Found(block: .definition, indent: Self.full)
        case UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "<"), UInt8(ascii: "%"):
            if let last = endOfComment(content, line) {
                return Found(block: .end(nil), lastLine: last)
            }
            if first == UInt8(ascii: "<") {
                let name = content.dropFirst().first ?? 0
                if (65...90).contains(name) { return component(content, line) }
                if name != UInt8(ascii: "/") { return nil }
            }
            return DialectBlock.fenced(content).flatMap { placed($0, first, content, line) }
                .map { Found(block: $0) }
        case UInt8(ascii: "/"):
            guard let block = DialectBlock.fenced(content),
                let placed = placed(block, first, content, line)
            else { return nil }
            return withOptions(placed, content, line)
        default: return nil
        }
    }

    /// The line below with the end of a comment that begins on a line.
    private mutating func endOfComment(_ content: ArraySlice<UInt8>, _ line: Int) -> Int? {
        let rows = InlineParser.comments
        guard
            let row = rows.first(where: { source.bytes.span.has($0.open, at: content.startIndex) })
        else { return nil }
        let inside = content.dropFirst(row.open.utf8CodeUnitCount)
        // '%%time' is none.
        if content.first == UInt8(ascii: "%"), inside.first?.isWhitespace == false { return nil }
        let close = String(describing: row.close)
        func ends(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
            text.indices.first { text[$0...].starts(with: close.utf8) }.map {
                text[($0 + close.utf8.count)...]
            }
        }
        if ends(inside) != nil { return nil }
        if commentEnds[close, default: 0] <= line {
            let end = source.lines[line...].firstIndex { ends(source.bytes[$0]) != nil }
            commentEnds[close] = end.map { $0 + 1 } ?? .max
        }
        guard let last = commentEnds[close], last < .max,
            ends(source.bytes[source.line(last)])?.allSatisfy(\.isWhitespace) == true
        else { return nil }
        return last
    }

    // MARK: Components

    /// A tag `<Name …>`, which may go on below, or an element of one line.
    private mutating func component(_ content: ArraySlice<UInt8>, _ line: Int) -> Found? {
        guard let end = endOfTag(from: content.startIndex) else { return nil }
        var last = line
        while source.line(last).upperBound < end { last += 1 }
        let marks = source.bytes[source.line(line).lowerBound..<content.startIndex]
        if last > line, marks.contains(UInt8(ascii: ">")) { return nil }
        let written = source.bytes[content.startIndex..<end].map { $0.isLineEnd ? .space : $0 }
        let tag = ScriptExpressions.filled(written) ?? written
        guard let block = DialectBlock.fenced(tag[...]) else { return nil }
        let rest = source.bytes[end..<source.line(last).upperBound].trimmed(where: \.isSpaceOrTab)
        if rest.isEmpty {
            return placed(block, UInt8(ascii: "<"), content, line)
                .map { Found(block: $0, lastLine: last) }
        }
        let name = tag.dropFirst().prefix(while: \.isLetterOrDigit)
        let close = Array("</".utf8) + name + [UInt8(ascii: ">")]
        let inner = rest.dropLast(close.count)
        guard last == line, rest.suffix(close.count).elementsEqual(close),
            !inner.indices.contains(where: { inner[$0...].dropFirst(2).starts(with: name) })
        else { return nil }
        switch block {
        case .tab where openTabs[UInt8(ascii: "<"), default: 0] == 0: return nil
        case .begin, .tab, .admonition, .link: return Found(block: block, inner: inner.indices)
        default: return nil
        }
    }

    /// Behind the `>` of a tag in which quoted texts and expressions of JavaScript may have others.
    private mutating func endOfTag(from start: Int) -> Int? {
        if nextTagEnd < start {
            nextTagEnd = source.bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? .max
        }
        if nextTagEnd - start > 2000 { return nil }
        var quote: UInt8 = 0
        var depth = 0
        var isBlank = false
        for index in start..<min(start + 2000, source.bytes.count) {
            let byte = source.bytes[index]
            if byte.isLineEnd, isBlank { return nil }
            if !byte.isWhitespace || byte.isLineEnd { isBlank = byte == .newline }
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ">") where depth == 0: return index + 1
            case UInt8(ascii: "<") where depth == 0 && index > start: return nil
            default: break
            }
        }
        return nil
    }

    /// The block, if it may stand here: an end has a beginning, a tab has a group, and a shortcode or
    /// a component, many of which are single tags, has an end.
    private mutating func placed(
        _ block: DialectBlock,
        _ mark: UInt8,
        _ content: ArraySlice<UInt8>,
        _ line: Int
    ) -> DialectBlock? {
        if case .end(let named) = block {
            // The beginning of a frame waits for no end.
            let isOfFrame = named == .frame && mark == UInt8(ascii: "{")
            let ended = end(named, mark) ?? (isOfFrame ? block : nil)
            // PyMdown's tabs have no group around them.
            guard mark == Self.slash, case .end(.tab) = ended else { return ended }
            return isAboveTab(line) ? ended : .end(.tabs)
        }
        if case .tab = block, mark != Self.slash, openTabs[mark, default: 0] == 0 { return nil }
        guard let named = block.named else { return block }
        let needsEnd = "</".utf8.contains(mark) || content.starts(with: "{{".utf8)
        if needsEnd, !hasEnd(content, line) {
            return mark == UInt8(ascii: "{") ? DialectBlock.withoutEnd(content) : nil
        }
        if named == .tabs { openTabs[mark, default: 0] += 1 }
        if mark == UInt8(ascii: "<") { openComponents += 1 }
        open.append((mark, named))
        return block
    }

    // MARK: PyMdown

    private static let slash = UInt8(ascii: "/")

    private func isAboveTab(_ line: Int) -> Bool {
        let next = source.lines[line...].first { source.contentStart($0) < $0.upperBound }
        guard let next,
            case .tab = DialectBlock.fenced(
                source.bytes[source.contentStart(next)..<next.upperBound]
            )
        else { return false }
        return true
    }

    /// Takes the lines below, which are indented by four columns: `type: warning`, `open: True`.
    private func withOptions(
        _ block: DialectBlock,
        _ content: ArraySlice<UInt8>,
        _ line: Int
    ) -> Found {
        var found = Found(block: block, lastLine: line)
        if case .end = block { return found }
        let indent = content.startIndex - source.line(line).lowerBound + Self.full
        while found.lastLine < source.lines.count {
            let below = source.line(found.lastLine + 1)
            let start = source.contentStart(below)
            let words = source.bytes[start..<below.upperBound]
                .split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2, start - below.lowerBound >= indent,
                words[0].allSatisfy(DialectScanner.isNamePart)
            else { break }
            found.block.set(words[0], to: DialectScanner(words[1]).rest)
            found.lastLine += 1
        }
        return found
    }

    /// The end of the innermost block, or of one of a kind; tabs in it need none.
    private mutating func end(_ block: NamedBlock?, _ mark: UInt8) -> DialectBlock? {
        while let last = open.last, last.mark == mark {
            // The same tag ends a box and one that is folded; components have many names.
            let isSame =
                last.block == block || [last.block, block] == [.details, .box]
                || [last.block, block] == [.link, .component]
            guard block == nil || isSame || last.block == .tab else { return nil }
            open.removeLast()
            if last.block == .tabs { openTabs[mark, default: 0] -= 1 }
            if mark == UInt8(ascii: "<") { openComponents -= 1 }
            if block == nil || isSame { return .end(last.block) }
        }
        return nil
    }

    private mutating func hasEnd(_ content: ArraySlice<UInt8>, _ line: Int) -> Bool {
        if lastEnds == nil { lastEnds = findEnds() }
        return lastEnds?[Self.name(in: content), default: 0] ?? 0 > line
    }

    private func findEnds() -> [String: Int] {
        var ends: [String: Int] = [:]
        for (index, line) in source.lines.enumerated() {
            let text = source.bytes[source.contentStart(line)..<line.upperBound]
            let name = Self.name(in: text)
            if name.contains("/") { ends[name.filter { $0 != "/" }] = index + 1 }
        }
        return ends
    }

    /// `{{<name`, `<Name`; with a slash before the name of an end.
    private static func name(in tag: ArraySlice<UInt8>) -> String {
        // All ends of PyMdown's blocks are the same.
        if tag.first == slash, tag.count > 2, tag.allSatisfy({ $0 == slash || $0.isSpaceOrTab }) {
            return "/"
        }
        let open = tag.prefix { "{<%".utf8.contains($0) }
        if open.isEmpty { return "" }
        var scanner = DialectScanner(tag[open.endIndex...])
        return String(decoding: open + scanner.word(until: ">%"), as: UTF8.self)
    }

    /// The columns by which MkDocs indents a block.
    private static let full = 4

    /// By how many columns the block below a line is indented, at most by four; `nil` where there is
    /// none.
    ///
    /// MkDocs leaves the text of a block with two or three spaces outside of it, and an empty box
    /// above the text. Nobody means that. Of an admonition that is not folded, a title is enough.
    private func indent(
        below block: DialectBlock,
        _ line: Int,
        _ content: ArraySlice<UInt8>
    ) -> Int? {
        var next = line + 1
        while next <= source.lines.count, source.isBlank(next) { next += 1 }
        let marks = source.bytes[source.line(line).lowerBound..<content.startIndex]
        var isText = false
        if next <= source.lines.count {
            let quotes = marks.count { $0 == UInt8(ascii: ">") }
            let below = source.bytes[source.line(next)]
            let indent = Self.columns(of: below, quotes) - Self.columns(of: marks, .max)
            if indent >= 2 { return min(indent, Self.full) }
            let start = source.contentStart(source.line(next))
            isText = next == line + 1 && !"!?".utf8.contains(source.bytes[start])
        }
        guard case .admonition(let admonition) = block, admonition.title != nil,
            admonition.ownKind == nil, admonition.fold == .none, !isText
        else { return nil }
        return Self.full
    }

    /// The columns in front of a line's text: of white space, of the marks of quotes, and of those of
    /// list items in the line that opens them.
    private static func columns(of line: ArraySlice<UInt8>, _ quotes: Int) -> Int {
        var columns = 0
        var left = quotes
        for byte in line {
            switch byte {
            case .tab: columns += 4 - columns % 4
            case .space: columns += 1
            case UInt8(ascii: ">") where left > 0:
                columns += 1
                left -= 1
            default:
                if quotes != .max { return columns }
                columns += 1
            }
        }
        return columns
    }

    /// Whether text stands above, with at most one empty line between.
    private func isBelowText(_ line: Int) -> Bool {
        var above = line - 1
        if above > 0, source.isBlank(above) { above -= 1 }
        guard above > 0, !source.isBlank(above) else { return false }
        let range = source.line(above)
        let start = source.contentStart(range)
        // A term may be code, but no fence.
        let isFence = source.bytes[start..<range.upperBound].starts(with: "```".utf8)
        return start < range.upperBound && !isFence && !"#|~<".utf8.contains(source.bytes[start])
    }
}
