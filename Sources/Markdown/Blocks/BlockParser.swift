import Bytes

/// Finds the blocks of a document, line by line.
///
/// The method is that of CommonMark 0.30, "Appendix: A parsing strategy", and of libcmark. Tables,
/// footnotes and blocks of other tools take part in it, because where a paragraph ends depends on
/// them.
struct BlockParser {
    let source: SourceText
    let options: MarkdownOptions
    private(set) var nodes = [BlockTree.Node(kind: .document, line: 1, column: 1)]
    var tables: [Table] = []
    var labels = LinkLabels()
    var abbreviations = Abbreviations()
    var footnotes: [String] = []
    var headingIDs: [String] = []
    /// The open blocks, from the document to the innermost.
    private(set) var open = [0]
    /// How many of ``open`` continue on the line, those that begin on it included.
    private var matched = 1
    private(set) var line = 0
    /// Whether the line may continue the paragraph that is open, without the marks of its containers.
    private(set) var mayBeLazy = false
    /// The last line with a block of an extension that holds others: no further one begins on it.
    var lastExtension = 0
    var cursor = LineCursor(0..<0)
    var dialects: DialectLines
    /// The code or HTML that is open, if one is.
    var fence = Fence()
    var htmlKind = HTMLBlockKind.tag
    /// The names of the open elements in which blocks of HTML end with their line.
    var markdownElements: [[UInt8]] = []
    /// The last line that was found to end such a fence; 0 where there is none any more.
    var fenceEnds: [Fence: Int] = [:]
    var cellCount = 0
    /// The last line of a tag or a comment that began above.
    var lastLineOfTag = 0
    /// The line that ends a fence around Markdown.
    var endOfUnwrapped = 0
    /// The line that ended HTML, and what it begins or ends.
    var behindHTML: (line: Int, found: DialectLines.Found)?
    var longestDefinition = (bytes: 0, line: 1)

    struct Fence: Hashable {
        /// 0 for indented code.
        var mark: UInt8 = 0
        var length = 0
        /// Columns that are taken off each line.
        var indent = 0

        func ends(on line: ArraySlice<UInt8>) -> Bool {
            let run = line.prefix { $0 == mark }
            let hasLength = mark == UInt8(ascii: "$") ? run.count == 2 : run.count >= length
            return hasLength && line[run.endIndex...].allSatisfy(\.isSpaceOrTab)
        }
    }

    static let maximumNesting = 100

    /// - Throws: where the document would take more time or space than the limits allow.
    static func parse(
        _ source: SourceText,
        _ options: MarkdownOptions
    ) throws(RenderLimitError) -> BlockTree {
        var parser = BlockParser(source: source, options: options, dialects: .init(source, options))
        parser.nodes.reserveCapacity(source.lines.count + 1)
        for line in source.lines {
            parser.line += 1
            if parser.line <= parser.lastLineOfTag { continue }
            parser.cursor = LineCursor(line)
            try parser.readLine()
        }
        parser.line += 1
        parser.matched = 0
        parser.closeUnmatched()
        if let refusal = parser.definitionRefusal { throw refusal }
        return BlockTree(parser)
    }

    private init(source: SourceText, options: MarkdownOptions, dialects: DialectLines) {
        self.source = source
        self.options = options
        self.dialects = dialects
    }

    var bytes: [UInt8] { _read { yield source.bytes } }

    subscript(index: Int) -> BlockTree.Node {
        _read { yield nodes[index] }
        _modify { yield &nodes[index] }
    }

    /// The innermost block that continues on the line.
    var container: Int { open[matched - 1] }

    var isInParagraph: Bool { nodes[container].kind == .paragraph }

    private mutating func readLine() throws(RenderLimitError) {
        matched = 1
        while matched < open.count {
            switch continues(open[matched]) {
            case .continues: matched += 1
            case .endsHere:
                matched += 1
                noteBlank(false)
                return endBlock(on: line)
            case .ended:
                try beginBlocks()
                return
            }
        }
        try beginBlocks()
    }

    private mutating func beginBlocks() throws(RenderLimitError) {
        mayBeLazy = nodes[open[open.count - 1]].kind == .paragraph
        let isWhole = matched == open.count
        var isNew = false
        while nodes[container].kind != .codeBlock, nodes[container].kind != .htmlBlock {
            let (start, indent) = cursor.firstNonspace(bytes)
            if start == cursor.end { break }
            if indent >= 4, !dialects.isInComponent {
                if mayBeLazy { break }
                cursor.advance(columns: 4, bytes)
                begin(.codeBlock, at: cursor.offset, .code(info: ""))
                fence = Fence()
                isNew = true
                break
            }
            switch beginBlock(at: start, indent) {
            case .none: break
            case .line:
                let last = nodes[container].last
                return noteBlank(false, on: last < 0 ? container : last)
            case .container:
                try checkNesting()
                isNew = true
                mayBeLazy = false
                continue
            case .leaf: isNew = true
            }
            break
        }
        try addText(isLazy: mayBeLazy && !isWhole && !isNew)
    }

    private func checkNesting() throws(RenderLimitError) {
        guard open.count > Self.maximumNesting else { return }
        let containers = open.count { nodes[$0].kind.isContainer && nodes[$0].kind != .list }
        guard containers > Self.maximumNesting + 1 else { return }
        let message = "quotes and lists are nested more than \(Self.maximumNesting) deep"
        throw RenderLimitError(message: message, line: line)
    }

    /// Adds the rest of the line to the innermost block, or begins a paragraph.
    private mutating func addText(isLazy: Bool) throws(RenderLimitError) {
        let (start, indent) = cursor.firstNonspace(bytes)
        let isBlank = start == cursor.end
        noteBlank(isBlank)
        if isLazy, !isBlank {
            return appendLine(to: open[open.count - 1], from: cursor)
        }
        closeUnmatched()
        let current = container
        switch nodes[current].kind {
        case .codeBlock:
            nodes[current].code += lineText(from: cursor)
            nodes[current].code.append(.newline)
        case .htmlBlock:
            appendLine(to: current, from: cursor)
            if htmlKind.ends(bytes[start..<cursor.end]) {
                endBlock(on: line)
            }
        case _ where isBlank: break
        case .paragraph:
            cursor.advance(to: start, bytes)
            if try !beginTable(indent: indent) { appendLine(to: current, from: cursor) }
        case .table where try addRow(from: start): break
        default:
            begin(.paragraph, at: start)
            cursor.advance(to: start, bytes)
            appendLine(to: container, from: cursor)
        }
    }

    private mutating func appendLine(to index: Int, from cursor: LineCursor) {
        let start = source.line(line).lowerBound
        if source.traits[line - 1].contains(.foreign) { nodes[index].text.mayBeForeign = true }
        nodes[index].text.append(
            lineText(from: cursor),
            line: line,
            column: cursor.offset - start + 1
        )
    }

    private func lineText(from cursor: LineCursor) -> ArraySlice<UInt8> {
        let rest = bytes[cursor.offset..<cursor.end]
        guard cursor.columnsOfTabLeft > 0 else { return rest }
        return Array(repeating: .space, count: cursor.columnsOfTabLeft) + rest.dropFirst()
    }

    // MARK: The tree

    /// Begins a block in the innermost one that continues and can hold it.
    mutating func begin(
        _ kind: BlockTree.Kind,
        at offset: Int,
        _ details: BlockTree.Details = .none
    ) {
        closeUnmatched()
        while !canHold(kind, in: nodes[container].kind) {
            matched -= 1
            closeUnmatched()
        }
        let column = offset - source.line(line).lowerBound + 1
        var node = BlockTree.Node(kind: kind, line: line, column: column)
        node.details = details
        node.parent = container
        node.previous = nodes[container].last
        let index = nodes.count
        if node.previous >= 0 { nodes[node.previous].next = index }
        if nodes[container].first < 0 { nodes[container].first = index }
        nodes[container].last = index
        nodes.append(node)
        open.append(index)
        matched = open.count
    }

    private func canHold(_ kind: BlockTree.Kind, in parent: BlockTree.Kind) -> Bool {
        switch parent {
        case .list: kind == .item
        case .document, .blockQuote, .item, .footnote, .dialectContainer: kind != .item
        default: false
        }
    }

    /// Ends the innermost block.
    mutating func endBlock(on last: Int) {
        matched -= 1
        closeUnmatched(at: last)
    }

    private mutating func closeUnmatched(at last: Int? = nil) {
        while open.count > matched {
            let index = open.removeLast()
            nodes[index].endLine = last ?? max(line - 1, nodes[index].line)
            finish(index)
        }
    }

    mutating func remove(_ index: Int) {
        let node = nodes[index]
        if node.previous >= 0 { nodes[node.previous].next = node.next }
        if node.next >= 0 { nodes[node.next].previous = node.previous }
        if nodes[node.parent].first == index { nodes[node.parent].first = node.next }
        if nodes[node.parent].last == index { nodes[node.parent].last = node.previous }
    }

    /// Makes the innermost block one of another kind; the caller ends it.
    mutating func replaceParagraph(by kind: BlockTree.Kind, _ details: BlockTree.Details) {
        let old = nodes[container]
        var node = BlockTree.Node(kind: kind, line: old.line, column: old.column)
        node.details = details
        node.text = old.text
        (node.parent, node.previous) = (old.parent, old.previous)
        nodes[container] = node
    }

    // MARK: Which blocks continue

    private enum Continuation { case continues, ended, endsHere }

    private mutating func continues(_ index: Int) -> Continuation {
        let (start, indent) = cursor.firstNonspace(bytes)
        let isBlank = start == cursor.end
        switch nodes[index].kind {
        case .document, .list: return .continues
        case .blockQuote:
            guard indent < 4, !isBlank, bytes[start] == UInt8(ascii: ">") else { return .ended }
            takeQuoteMark(at: start)
        case .item, .footnote, .dialectContainer:
            let needed = nodes[index].indent
            // An item that begins with two blank lines is empty.
            let isOpen = nodes[index].kind != .item || nodes[index].first >= 0
            guard indent >= needed || isBlank && isOpen else { return .ended }
            cursor.advance(columns: min(needed, indent), bytes)
        case .codeBlock where fence.mark == 0:
            guard indent >= 4 || isBlank else { return .ended }
            cursor.advance(columns: min(4, indent), bytes)
        case .codeBlock:
            // In a component of MDX, a fence may be indented by four columns and more.
            let limit = fence.indent < 4 ? 4 : fence.indent + 4
            if indent < limit, fence.ends(on: bytes[start..<cursor.end]) { return .endsHere }
            cursor.advance(columns: min(fence.indent, indent), bytes)
        case .htmlBlock:
            if htmlKind == .tag, isBlank || endsHTML(start, indent) { return .ended }
        case .paragraph, .table: if isBlank { return .ended }
        default: return .ended
        }
        return .continues
    }

    /// Whether a line begins or ends a block of another tool: HTML without an empty line below it
    /// would swallow it.
    private mutating func endsHTML(_ start: Int, _ indent: Int) -> Bool {
        if line == endOfUnwrapped { return true }
        // Of a definition, the term is missing.
        guard !options.commonMarkOnly, indent < 4 || dialects.isInComponent,
            bytes[start] != Self.colon || bytes[start..<cursor.end].dropFirst().first == Self.colon,
            let found = dialects.block(bytes[start..<cursor.end], onLine: line)
        else { return false }
        behindHTML = (line, found)
        return true
    }

    mutating func takeQuoteMark(at start: Int) {
        cursor.advance(to: start + 1, bytes)
        if cursor.offset < cursor.end, bytes[cursor.offset].isSpaceOrTab {
            cursor.advance(columns: 1, bytes)
        }
    }

    // MARK: Blank lines

    /// Notes for the innermost block whether the line is blank: blank lines make lists loose.
    private mutating func noteBlank(_ isBlank: Bool, on block: Int? = nil) {
        let index = block ?? container
        let last = nodes[index].last
        // As libcmark has it: a thematic break takes the blank lines below.
        let isBlank = isBlank && (last < 0 || nodes[last].kind != .thematicBreak)
        if isBlank, last >= 0 { nodes[last].endsBlank = true }
        switch nodes[index].kind {
        case .blockQuote, .heading, .thematicBreak, .dialectLine: nodes[index].endsBlank = false
        case .codeBlock: nodes[index].endsBlank = isBlank && fence.mark == 0
        case .item, .footnote:
            let isStart = nodes[index].first < 0 && nodes[index].line == line
            nodes[index].endsBlank = isBlank && !isStart
        default: nodes[index].endsBlank = isBlank
        }
        var parent = nodes[index].parent
        while parent >= 0 {
            nodes[parent].endsBlank = false
            parent = nodes[parent].parent
        }
    }

    func isTight(_ list: Int) -> Bool {
        var item = nodes[list].first
        while item >= 0 {
            let isLast = nodes[item].next < 0
            if nodes[item].endsBlank, !isLast { return false }
            var child = nodes[item].first
            while child >= 0 {
                if !isLast || nodes[child].next >= 0, endsWithBlankLine(child) { return false }
                child = nodes[child].next
            }
            item = nodes[item].next
        }
        return true
    }

    private func endsWithBlankLine(_ block: Int) -> Bool {
        var index = block
        while nodes[index].last >= 0 {
            switch nodes[index].kind {
            case .list, .item, .footnote, .dialectContainer: index = nodes[index].last
            default: return nodes[index].endsBlank
            }
        }
        return nodes[index].endsBlank
    }
}
