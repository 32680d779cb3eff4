/// A line that begins or ends a block in the syntax of another tool.
///
///     !!! note "Title"      ??? tip       === "Tab"       MkDocs: the block is indented
///     : what it means                                     PHP Markdown Extra
///     :::note Title         :::                           Docusaurus, VitePress, Starlight
///     {% hint style="info" %}       {% endhint %}         GitBook
///     {% tab title="A" %}           {% endtabs %}
enum DialectBlock {
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

    /// Reads a line behind the marks of containers whose block is indented.
    static func indented(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        var scanner = DialectScanner(content)
        var admonition = Admonition(kind: "")
        switch String(decoding: scanner.word(), as: UTF8.self) {
        case "===", "===!", "===+":
            // Without quotation marks it may be AsciiDoc's heading.
            guard let title = scanner.quoted(), scanner.isAtEnd else { return nil }
            return .tab(title: Array(title), offset: title.startIndex - content.startIndex)
        case "!!!": break
        case "???": admonition.fold = .closed
        case "???+": admonition.fold = .open
        default: return nil
        }
        let kind = scanner.word()
        guard kind.first?.isLetter == true, kind.allSatisfy(DialectScanner.isNamePart) else {
            return nil
        }
        admonition.setKind(kind)
        admonition.setTitle(scanner.title(behindClasses: true), in: content)
        return .admonition(admonition)
    }

    /// Reads a line behind the marks of containers whose block ends with a line of its own.
    static func fenced(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        content.first == UInt8(ascii: ":") ? colons(content) : tag(content)
    }

    private static func colons(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        let marks = content.prefix { $0 == UInt8(ascii: ":") }
        guard marks.count >= 3 else { return nil }
        var rest = DialectScanner(content[marks.endIndex...]).rest
        if rest.isEmpty { return .end }
        var attributes: BlockAttributes?
        var kind = rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        rest = rest[kind.endIndex...]
        if kind.isEmpty, rest.first == UInt8(ascii: "{") {
            // '{note} Title' of MyST, '{.note}' of Pandoc, '{.callout-note title="…"}' of Quarto.
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
            let inside = rest[..<end].dropFirst()
            attributes = BlockAttributes(inside)
            kind = attributes?.classes.first ?? inside
            if kind.starts(with: "callout-".utf8) { kind = kind.dropFirst("callout-".utf8.count) }
            rest = DialectScanner(rest[(end + 1)...]).rest
        } else if let next = rest.first, !next.isSpaceOrTab, !"[{".utf8.contains(next) {
            return nil
        }
        let name = String(decoding: kind, as: UTF8.self)
        if name == "cards" || name == "grid" { return rest.isEmpty ? .cards : nil }
        guard Admonition.kinds[name] != nil || name == "details" else { return nil }
        var admonition = Admonition(kind: name == "details" ? "note" : name)
        // '{open}' of VitePress, '{.class}' of Docusaurus.
        if rest.last == UInt8(ascii: "}"), let open = rest.lastIndex(of: UInt8(ascii: "{")),
            let found = BlockAttributes(rest[(open + 1)...].dropLast())
        {
            attributes = found
            rest = rest[..<open]
        }
        var title = DialectScanner(rest).title(behindClasses: false)
        if rest.first == UInt8(ascii: "[") {
            let inside = DialectScanner(rest).rest.dropFirst()
            guard inside.last == UInt8(ascii: "]") else { return nil }
            title = inside.dropLast()
        }
        admonition.fold = attributes?.fold ?? (name == "details" ? .closed : .none)
        admonition.setTitle(title ?? attributes?.title, in: content)
        // The box has always had its usual title then.
        if admonition.title?.bytes.isEmpty == true { admonition.title = nil }
        return .admonition(admonition)
    }

    private static let tags: [String: DialectBlock] = [
        "endhint": .end, "tabs": .tabs, "endtab": .endOfTab, "endtabs": .endOfTabs,
    ]

    /// A tag of GitBook.
    private static func tag(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        let line = DialectScanner(content).rest
        guard line.starts(with: "{% ".utf8), line.suffix(3).elementsEqual(" %}".utf8) else {
            return nil
        }
        var scanner = DialectScanner(line.dropFirst(3).dropLast(3))
        let name = scanner.word()
        guard let attributes = BlockAttributes(scanner.rest) else { return nil }
        switch String(decoding: name, as: UTF8.self) {
        case "hint":
            var admonition = Admonition(kind: "info")
            if let style = attributes["style"] {
                guard style.allSatisfy(DialectScanner.isNamePart) else { return nil }
                admonition.setKind(style)
            }
            admonition.setTitle(attributes.title, in: content)
            return .admonition(admonition)
        case "tab":
            return attributes.title.map {
                .tab(title: Array($0), offset: $0.startIndex - content.startIndex)
            }
        case let name: return tags[name]
        }
    }
}
