import Bytes
import HTML

/// What begins a block.
extension BlockParser {
    /// What a line begins at a place.
    enum Beginning {
        case none, container
        /// HTML, to which the rest of the line belongs.
        case leaf
        /// A block whose first line is read; it may go on with the next one.
        case line
    }

    /// Begins the block whose mark stands at a place, if there is one.
    ///
    /// - Parameter indent: the columns before it, fewer than four.
    mutating func beginBlock(at start: Int, _ indent: Int) -> Beginning {
        let first = bytes[start]
        if first.isLetter || first >= 0x80 { return .none }
        if !options.commonMarkOnly, lastExtension != line {
            let found = beginExtension(at: start, indent)
            if found != .none { return found }
        }
        switch first {
        case UInt8(ascii: ">"):
            begin(.blockQuote, at: start)
            takeQuoteMark(at: start)
            return .container
        case UInt8(ascii: "#"): return beginHeading(at: start)
        case UInt8(ascii: "`"), UInt8(ascii: "~"): return beginFence(first, at: start)
        case UInt8(ascii: "<"):
            let rest = bytes[start..<cursor.end]
            let interrupts = (isInParagraph || mayBeLazy) && !endsMarkdown(rest)
            guard let kind = HTMLBlockKind(rest, interrupts: interrupts) else { return .none }
            begin(.htmlBlock, at: start)
            htmlKind = kind == .tag && holdsMarkdown(rest) ? .line : kind
            return .leaf
        case UInt8(ascii: "="), UInt8(ascii: "-"):
            if isInParagraph, isUnderline(at: start) { return endHeading(at: start) }
            return first == UInt8(ascii: "-") ? beginBreakOrItem(at: start, indent) : .none
        case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "+"), 48...57:
            return beginBreakOrItem(at: start, indent)
        default: return .none
        }
    }

    /// Whether a line of HTML stands alone, so that Markdown may begin below it: a tag with
    /// `markdown="1"` of Python-Markdown and kramdown, and those in its element.
    private mutating func holdsMarkdown(_ line: ArraySlice<UInt8>) -> Bool {
        guard options.borrowedBlocks else { return false }
        if endsMarkdown(line) {
            markdownElements.removeLast()
            return true
        }
        guard let end = HTMLTagScanner.endOfTag(line, at: line.startIndex) else { return false }
        let name = Array(line.dropFirst().prefix(while: \.isLetterOrDigit))
        let isAlone = line[end...].allSatisfy(\.isWhitespace)
        let words = line[..<end].split { $0.isWhitespace || "=>/".utf8.contains($0) }
        let isMarkdown = words.dropFirst().contains { $0.elementsEqual("markdown".utf8) }
        let isInside = !markdownElements.isEmpty && line.last == UInt8(ascii: ">")
        let isOpen = isAlone && line[..<end].dropLast().last != UInt8(ascii: "/")
        if isOpen, isMarkdown || name == markdownElements.last {
            markdownElements.append(name)
        }
        return isMarkdown || isInside
    }

    /// Whether a line is the end of the innermost element in which Markdown stands.
    private func endsMarkdown(_ line: ArraySlice<UInt8>) -> Bool {
        guard let name = markdownElements.last, line.starts(with: "</".utf8) else { return false }
        let rest = line.dropFirst(2)
        return rest.starts(with: name) && rest.dropFirst(name.count).first == UInt8(ascii: ">")
    }

    private func run(_ byte: UInt8, from start: Int) -> Int {
        var end = start
        while end < cursor.end, bytes[end] == byte { end += 1 }
        return end - start
    }

    private func isSpace(_ index: Int) -> Bool { index >= cursor.end || bytes[index].isSpaceOrTab }

    // MARK: Headings and breaks

    private mutating func beginHeading(at start: Int) -> Beginning {
        let level = run(UInt8(ascii: "#"), from: start)
        guard level <= 6, isSpace(start + level) else { return .none }
        begin(.heading, at: start, .heading(level: level, id: nil))
        var text = start + level
        while text < cursor.end, bytes[text].isSpaceOrTab { text += 1 }
        var end = cursor.end
        func trim() {
            while end > text, bytes[end - 1].isWhitespace { end -= 1 }
        }
        trim()
        // A closing run of '#' belongs to the mark if a space stands before it.
        var closing = end
        while closing > text, bytes[closing - 1] == UInt8(ascii: "#") { closing -= 1 }
        if closing == text || bytes[closing - 1].isSpaceOrTab {
            end = closing
            trim()
        }
        let column = text - source.line(line).lowerBound + 1
        self[container].text.append(bytes[text..<end], line: line, column: column)
        self[container].text.mayBeForeign = source.traits[line - 1].contains(.foreign)
        endBlock(on: line)
        return .line
    }

    private func isUnderline(at start: Int) -> Bool {
        let end = start + run(bytes[start], from: start)
        return bytes[end..<cursor.end].allSatisfy(\.isSpaceOrTab)
    }

    /// Makes a paragraph the heading above its underline; below definitions alone it is text.
    private mutating func endHeading(at start: Int) -> Beginning {
        takeDefinitions(of: container)
        if self[container].text.bytes.isEmpty { return .none }
        let level = bytes[start] == UInt8(ascii: "=") ? 1 : 2
        replaceParagraph(by: .heading, .heading(level: level, id: nil))
        endBlock(on: line)
        return .line
    }

    private mutating func beginBreakOrItem(at start: Int, _ indent: Int) -> Beginning {
        guard isBreak(at: start) else { return beginItem(at: start, indent) ? .container : .none }
        begin(.thematicBreak, at: start)
        endBlock(on: line)
        return .line
    }

    private func isBreak(at start: Int) -> Bool {
        let mark = bytes[start]
        if mark.isDigit || mark == UInt8(ascii: "+") { return false }
        var count = 0
        for index in start..<cursor.end where !bytes[index].isSpaceOrTab {
            if bytes[index] != mark { return false }
            count += 1
        }
        return count > 2
    }

    // MARK: Code

    private mutating func beginFence(_ mark: UInt8, at start: Int) -> Beginning {
        let length = run(mark, from: start)
        let rest = bytes[(start + length)..<cursor.end]
        guard length >= 3, mark == UInt8(ascii: "~") || !rest.contains(mark) else { return .none }
        let fence = Fence(mark: mark, length: length)
        if line == endOfUnwrapped || unwraps(fence, rest) {
            begin(line: .begin(.division), at: start)
        } else {
            beginFence(fence, at: start, info: rest)
        }
        return .line
    }

    /// Whether Markdown stands in a fence: Docusaurus hides components from other tools so.
    private mutating func unwraps(_ fence: Fence, _ info: ArraySlice<UInt8>) -> Bool {
        guard options.borrowedBlocks, endOfUnwrapped <= line,
            info.trimmed(where: \.isSpaceOrTab).elementsEqual("mdx-code-block".utf8),
            let end = lineThatEnds(fence)
        else { return false }
        endOfUnwrapped = end
        return true
    }

    mutating func beginFence(_ fence: Fence, at start: Int, info: ArraySlice<UInt8>) {
        let info = info.trimmed(where: \.isWhitespace)
        let text = CharacterReference.resolved(info, escapes: true)
        begin(.codeBlock, at: start, .code(info: text))
        self.fence = fence
        // As libcmark has it: a tab before the fence counts as one column.
        self.fence.indent = start - cursor.offset
    }

    // MARK: Lists

    private mutating func beginItem(at start: Int, _ indent: Int) -> Bool {
        var end = start
        var type = BlockTree.ListType.bullet(bytes[start])
        if bytes[start].isDigit {
            var number = 0
            while end < cursor.end, bytes[end].isDigit, end - start < 9 {
                number = number * 10 + Int(bytes[end] - 48)
                end += 1
            }
            guard end < cursor.end, ".)".utf8.contains(bytes[end]) else { return false }
            type = .ordered(delimiter: bytes[end], start: number)
            if isInParagraph, number != 1 { return false }
        } else if bytes[start] == UInt8(ascii: "_") {
            return false
        }
        end += 1
        let isEmpty = bytes[end..<cursor.end].allSatisfy(\.isSpaceOrTab)
        guard isSpace(end), !(isInParagraph && isEmpty) else { return false }
        begin(item: type, at: start)
        cursor.advance(to: end, bytes)
        // More than four spaces begin indented code, which keeps all but one of them.
        let spaces = cursor.firstNonspace(bytes).indent
        let padding = isEmpty || spaces > 4 ? 1 : spaces
        cursor.advance(columns: padding, bytes)
        self[container].indent = indent + end - start + padding
        return true
    }

    /// Begins an item, in the list that is open or in a new one.
    mutating func begin(item type: BlockTree.ListType, at start: Int) {
        if !continuesList(type) { begin(.list, at: start, .list(type, isTight: true)) }
        begin(.item, at: start, .item(task: nil))
    }

    private func continuesList(_ type: BlockTree.ListType) -> Bool {
        guard case .list(let open, _) = self[container].details else { return false }
        switch (open, type) {
        case (.ordered(let mark, _), .ordered(let other, _)): return mark == other
        default: return open == type
        }
    }
}

/// The conditions by which a block of HTML begins and ends (CommonMark 0.30, section 4.6).
enum HTMLBlockKind {
    case script, comment, instruction, declaration, data
    /// Ends before a blank line.
    case tag
    /// A tag around Markdown: ends with its line.
    case line

    /// - Parameter interrupts: whether the block would end a paragraph.
    init?(_ text: ArraySlice<UInt8>, interrupts: Bool) {
        let rest = text.dropFirst()
        switch rest.first {
        case UInt8(ascii: "?"): self = .instruction
        case UInt8(ascii: "!"):
            if rest.starts(with: "!--".utf8) {
                self = .comment
            } else if rest.starts(with: "![CDATA[".utf8) {
                self = .data
            } else {
                guard let first = rest.dropFirst().first, (65...90).contains(first) else {
                    return nil
                }
                self = .declaration
            }
        default:
            let isEnd = rest.first == UInt8(ascii: "/")
            let name = rest.dropFirst(isEnd ? 1 : 0).prefix(while: \.isLetterOrDigit)
            let word = String(decoding: name, as: UTF8.self).lowercased()
            let next = rest[name.endIndex...]
            let isSeparated = next.first.map { $0.isWhitespace || $0 == UInt8(ascii: ">") } ?? true
            if !isEnd, isSeparated, Self.literal.contains(word) {
                self = .script
                return
            }
            let isBlock = isSeparated || next.starts(with: "/>".utf8)
            if !isBlock || !Self.blocks.contains(word) {
                guard !interrupts, let end = HTMLTagScanner.endOfTag(text, at: text.startIndex),
                    text[end...].allSatisfy(\.isWhitespace)
                else { return nil }
            }
            self = .tag
        }
    }

    private static let literal: Set<String> = ["pre", "script", "style", "textarea"]

    private static let blocks = Set(
        """
        address article aside base basefont blockquote body caption center col colgroup dd details \
        dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 \
        h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup \
        option p param section source summary table tbody td tfoot th thead title tr track ul
        """.split(separator: " ").map(String.init)
    )

    /// Whether a line ends the block.
    func ends(_ line: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .script:
            let text = String(decoding: line, as: UTF8.self).lowercased()
            return Self.literal.contains { text.contains("</\($0)>") }
        case .comment: return Self.has("-->", line)
        case .instruction: return Self.has("?>", line)
        case .declaration: return line.contains(UInt8(ascii: ">"))
        case .data: return Self.has("]]>", line)
        case .tag: return false
        case .line: return true
        }
    }

    private static func has(_ mark: String, _ line: ArraySlice<UInt8>) -> Bool {
        line.indices.contains { line[$0...].starts(with: mark.utf8) }
    }
}
