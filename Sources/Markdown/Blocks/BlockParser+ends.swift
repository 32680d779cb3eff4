import Bytes

/// What a block is seen to be when it has ended.
extension BlockParser {
    mutating func finish(_ index: Int) {
        switch self[index].kind {
        case .list:
            guard case .list(let type, _) = self[index].details else { return }
            self[index].details = .list(type, isTight: isTight(index))
        case .paragraph:
            takeDefinitions(of: index)
            if self[index].text.bytes.isEmpty { remove(index) }
        case .heading: takeID(of: index)
        case .item: takeTask(of: index)
        case .blockQuote: takeCallout(of: index)
        case .codeBlock where fence.mark == 0: trimCode(index)
        default: break
        }
    }

    /// Takes the definitions of links off the start of a paragraph.
    mutating func takeDefinitions(of index: Int) {
        let text = self[index].text
        guard text.bytes.first == UInt8(ascii: "[") else { return }
        let (definitions, end) = ReferenceDefinition.all(
            in: text.bytes,
            readsTags: !options.commonMarkOnly
        )
        for definition in definitions {
            let place = text.location(at: definition.range.lowerBound)
            labels.define(definition, at: place, isCommonMark: options.commonMarkOnly)
            if definition.range.count > longestDefinition.bytes {
                longestDefinition = (definition.range.count, place.line)
            }
        }
        self[index].text.dropFirst(end)
    }

    /// One long definition that is used often makes a page much larger than its source.
    var definitionRefusal: RenderLimitError? {
        let uses = source.closingBrackets
        let growth = longestDefinition.bytes * uses
        guard longestDefinition.bytes > 256, growth > 1_000_000, growth > 10 * bytes.count else {
            return nil
        }
        let message =
            "this definition has \(longestDefinition.bytes) bytes"
            + " and may be used \(uses) times"
        return RenderLimitError(message: message, line: longestDefinition.line)
    }

    /// The id that a heading ends with: `## Heading {#id}`, `## Heading {: #id .class }`.
    private mutating func takeID(of index: Int) {
        self[index].text.trim()
        let text = self[index].text
        guard !options.commonMarkOnly, text.mayBeForeign,
            let list = HeadingAttributes(at: text.bytes),
            case .heading(let level, _) = self[index].details
        else { return }
        self[index].details = .heading(level: level, id: list.id)
        if let id = list.id { headingIDs.append(id) }
        self[index].text.dropLast(text.bytes.count - list.start)
        self[index].text.trim()
    }

    private mutating func takeTask(of index: Int) {
        let first = self[index].first
        guard !options.commonMarkOnly, first >= 0, self[first].line == self[index].line,
            self[first].kind == .paragraph || self[first].endLine > self[first].line,
            !isDefinition(index)
        else { return }
        let text = self[first].text.bytes
        guard text.count > 3, text[0] == UInt8(ascii: "["), text[2] == UInt8(ascii: "]"),
            text[3].isWhitespace, !text[3].isLineEnd
        else { return }
        switch text[1] {
        case .space, .tab: self[index].details = .item(task: false)
        case UInt8(ascii: "x"), UInt8(ascii: "X"): self[index].details = .item(task: true)
        default: return
        }
        let spaces = text.dropFirst(3).prefix(while: \.isWhitespace).count
        self[first].text.dropFirst(3 + spaces)
    }

    private func isDefinition(_ item: Int) -> Bool {
        guard case .list(.definitions, _) = self[self[item].parent].details else { return false }
        return true
    }

    private mutating func takeCallout(of index: Int) {
        let first = self[index].first
        guard !options.commonMarkOnly, first >= 0, self[first].kind == .paragraph else { return }
        let text = self[first].text
        let line = text.bytes.prefix { !$0.isLineEnd }
        guard let mark = Callout.mark(in: line, borrowed: options.borrowedBlocks) else {
            return takeAside(of: index, line)
        }
        var quote = Callout.Quote(callout: mark.callout)
        let lineEnd = min(line.count + 1, text.bytes.count)
        // Words without text below them are the text of the alert, not its title.
        let hasMore = self[first].next >= 0 || lineEnd < text.bytes.count
        if let start = mark.wordsStart, !(mark.isObsidian && hasMore) {
            self[first].text.dropFirst(start)
        } else {
            if let start = mark.wordsStart {
                let place = text.location(at: start)
                var title = LeafText()
                title.mayBeForeign = text.mayBeForeign
                title.append(line[start...], line: place.line, column: place.column)
                quote.title = title
            }
            self[first].text.dropFirst(lineEnd)
        }
        self[index].details = .quote(quote)
    }

    /// `> Note: text` of DocC.
    private mutating func takeAside(of index: Int, _ line: ArraySlice<UInt8>) {
        guard options.borrowedBlocks, let colon = line.firstIndex(of: UInt8(ascii: ":")),
            line[(colon + 1)...].first?.isSpaceOrTab == true,
            let admonition = Callout.aside(line[..<colon])
        else { return }
        self[index].details = .quote(Callout.Quote(callout: .alert(admonition)))
        self[self[index].first].text.dropFirst(colon + 2)
    }

    /// Takes the blank lines off the end of indented code.
    private mutating func trimCode(_ index: Int) {
        while let end = self[index].code.dropLast().lastIndex(of: .newline),
            self[index].code[end...].allSatisfy(\.isWhitespace)
        {
            self[index].code.removeSubrange((end + 1)...)
        }
    }
}
