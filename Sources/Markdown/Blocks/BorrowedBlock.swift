/// A line that begins or ends a block in the syntax of another tool.
///
///     !!! note "Title"      ??? tip       === "Tab"       MkDocs: the block is indented by four
///     : what it means                                     PHP Markdown Extra
///     :::note Title         :::                           Docusaurus, VitePress, Starlight
///     {% hint style="info" %}       {% endhint %}         GitBook
///     {% tab title="A" %}           {% endtabs %}
enum BorrowedBlock {
    case admonition(Admonition)
    case tab(title: [UInt8], offset: Int)
    case definition
    /// The meaning of an abbreviation.
    case abbreviation(name: [UInt8], meaning: [UInt8])
    /// A list whose items are cards.
    case cards
    /// The end of an admonition or of cards that are not indented.
    case end
    /// `{% tabs %}`
    case tabs
    case endOfTab
    case endOfTabs

    /// Reads a line behind the marks of containers whose block is indented by four.
    ///
    static func indented(_ content: ArraySlice<UInt8>) -> BorrowedBlock? {
        var scanner = WordScanner(content)
        if content.starts(with: "=== ".utf8) || content.starts(with: "===! ".utf8)
            || content.starts(with: "===+ ".utf8)
        {
            _ = scanner.word()
            guard let title = scanner.quoted(), scanner.isAtEnd else { return nil }
            return .tab(title: title.bytes, offset: title.offset)
        }
        let fold: Admonition.Fold
        switch scanner.word() {
        case "!!!": fold = .none
        case "???": fold = .closed
        case "???+": fold = .open
        default: return nil
        }
        let kind = scanner.word()
        guard isKind(kind) else { return nil }
        var admonition = Admonition(kind: kind)
        admonition.fold = fold
        // Other words are classes.
        while !scanner.isAtEnd {
            if let title = scanner.quoted() { admonition.title = title } else { _ = scanner.word() }
        }
        return .admonition(admonition)
    }

    /// Reads a line behind the marks of containers whose block ends with a line of its own.
    static func fenced(_ content: ArraySlice<UInt8>) -> BorrowedBlock? {
        content.first == UInt8(ascii: ":") ? colons(content) : tag(content)
    }

    private static func colons(_ content: ArraySlice<UInt8>) -> BorrowedBlock? {
        var rest = content.drop { $0 == UInt8(ascii: ":") }
        guard rest.startIndex - content.startIndex >= 3 else { return nil }
        rest = rest.drop(while: \.isSpaceOrTab)
        while rest.last?.isSpaceOrTab == true { rest.removeLast() }
        if rest.isEmpty { return .end }
        let word = rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        let kind = String(decoding: word, as: UTF8.self)
        rest = rest[word.endIndex...]
        if kind == "cards" || kind == "grid" { return rest.isEmpty ? .cards : nil }
        guard Admonition.kinds[kind] != nil || kind == "details" else { return nil }
        var admonition = Admonition(kind: kind == "details" ? "note" : kind)
        admonition.fold = kind == "details" ? .closed : .none
        var title = rest.drop(while: \.isSpaceOrTab)
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.lastIndex(of: UInt8(ascii: "]")) else { return nil }
            title = rest[(rest.startIndex + 1)..<end]
        } else if let next = rest.first, !next.isSpaceOrTab, next != UInt8(ascii: "{") {
            return nil
        }
        // Attributes, as 'VitePress' and 'Docusaurus' allow them, and 'Docusaurus' old titles.
        if title.first == UInt8(ascii: "{") { title = [] }
        if title.first == UInt8(ascii: "\""), title.last == UInt8(ascii: "\""), title.count > 1 {
            title = title.dropFirst().dropLast()
        }
        if !title.isEmpty {
            admonition.title = (Array(title), title.startIndex - content.startIndex)
        }
        return .admonition(admonition)
    }

    /// A tag of GitBook.
    private static func tag(_ content: ArraySlice<UInt8>) -> BorrowedBlock? {
        var line = content
        while line.last?.isSpaceOrTab == true { line.removeLast() }
        guard line.starts(with: "{% ".utf8), line.suffix(3).elementsEqual(" %}".utf8) else {
            return nil
        }
        var scanner = WordScanner(line[(line.startIndex + 3)..<(line.endIndex - 3)])
        let offset = 3
        switch scanner.word(until: "= ") {
        case "hint":
            guard scanner.word(until: "=") == "style=", let style = scanner.quoted() else {
                return nil
            }
            return .admonition(Admonition(kind: String(decoding: style.bytes, as: UTF8.self)))
        case "tab":
            guard scanner.word(until: "=") == "title=", let title = scanner.quoted() else {
                return nil
            }
            return .tab(title: title.bytes, offset: offset + title.offset)
        case "endhint": return .end
        case "endtabs": return .endOfTabs
        case "tabs": return .tabs
        case "endtab": return .endOfTab
        default: return nil
        }
    }

    private static func isKind(_ text: String) -> Bool {
        text.utf8.first?.isLetter == true
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Takes words and quoted texts off a line.
    private struct WordScanner {
        private let text: ArraySlice<UInt8>
        private var position: Int

        init(_ text: ArraySlice<UInt8>) {
            self.text = text
            position = text.startIndex
        }

        var isAtEnd: Bool { text[position...].allSatisfy(\.isSpaceOrTab) }

        private mutating func skipSpaces() {
            while position < text.endIndex, text[position].isSpaceOrTab { position += 1 }
        }

        mutating func word() -> String {
            skipSpaces()
            let start = position
            while position < text.endIndex, !text[position].isSpaceOrTab { position += 1 }
            return String(decoding: text[start..<position], as: UTF8.self)
        }

        /// A word up to one of some signs; an equals sign belongs to it.
        mutating func word(until ends: String) -> String {
            skipSpaces()
            let start = position
            while position < text.endIndex, !ends.utf8.contains(text[position]) { position += 1 }
            if position < text.endIndex, text[position] == UInt8(ascii: "=") { position += 1 }
            return String(decoding: text[start..<position], as: UTF8.self)
        }

        mutating func quoted() -> (bytes: [UInt8], offset: Int)? {
            skipSpaces()
            guard position < text.endIndex, text[position] == UInt8(ascii: "\"") else { return nil }
            let start = position + 1
            guard let end = text[start...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            position = end + 1
            return (Array(text[start..<end]), start - text.startIndex)
        }
    }
}
