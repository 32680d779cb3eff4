import Bytes
import CodeBlocks

/// A line that begins or ends a block in the syntax of another tool.
///
///     !!! note "Title"      ??? tip       === "Tab"       MkDocs: the block is indented
///     : what it means                                     PHP Markdown Extra
///     :::note Title         :::                           Docusaurus, VitePress, Starlight, Pandoc
///     /// note | Title      ///                           PyMdown
///     {% hint style="info" %}       {% endhint %}         GitBook
///     {{< tab "A" >}}               {{< /tab >}}          Hugo
///     <TabItem label="A">           </TabItem>            MDX, Vue
enum DialectBlock {
    case admonition(Admonition)
    case tab(title: [UInt8], offset: Int)
    case definition
    /// The meaning of an abbreviation.
    case abbreviation(name: [UInt8], meaning: [UInt8])
    case figure(DialectFigure)
    case frame(DialectFrame)
    /// The beginning of a block that has neither title nor kind.
    case begin(NamedBlock)
    /// The beginning of a step; it may have a title.
    case step(Admonition)
    /// The beginning of what holds a block of code; the attributes are those of the code.
    case code(attributes: ArraySlice<UInt8>)
    /// A component without content.
    case component
    /// A component without content whose attributes hold texts, and perhaps an address.
    case texts([ArraySlice<UInt8>], address: String?)
    /// The beginning of a component whose first paragraph is a link.
    case link(address: String)
    /// The end of a block that is not indented; `nil` for that of the innermost one.
    case end(NamedBlock?)

    /// What it begins; `nil` for a block without an end.
    var named: NamedBlock? {
        switch self {
        case .admonition(let admonition): admonition.fold == .none ? .box : .details
        case .begin(let block): block
        case .tab: .tab
        case .link: .link
        case .step: .step
        case .code: .code
        default: nil
        }
    }

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
        switch content.first {
        case UInt8(ascii: ":"), UInt8(ascii: "/"): colons(content)
        case UInt8(ascii: "<"): component(content)
        default: tag(content)
        }
    }

    private static func colons(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        let marks = content.prefix { $0 == content.first }
        guard marks.count >= 3 else { return nil }
        let isSlash = marks.first == UInt8(ascii: "/")
        var rest = DialectScanner(content[marks.endIndex...]).rest
        if rest.isEmpty { return .end(nil) }
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
        } else if let next = rest.first, !next.isSpaceOrTab, !"[{".utf8.contains(next) || isSlash {
            return nil
        }
        let name = String(decoding: kind, as: UTF8.self)
        let isPlain = isSlash && ["caption", "definition", "html"].contains { name.hasSuffix($0) }
        let isDivision = isPlain || attributes != nil && !isSlash
        let block = NamedBlock.named(name) ?? (isDivision ? .division : nil)
        if isSlash {
            // '/// note | Title' of PyMdown.
            rest = DialectScanner(rest).rest
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: "|") else { return nil }
            rest = DialectScanner(rest).rest
        }
        switch block {
        case nil, .figure, .frame, .link: return nil
        case .tab:
            return rest.isEmpty
                ? nil : .tab(title: Array(rest), offset: rest.startIndex - content.startIndex)
        case .box, .details: break
        case .some(let block):
            let mayHaveWords = isPlain || attributes != nil || block == .component
            return rest.isEmpty || mayHaveWords ? .begin(block) : nil
        }
        var admonition = Admonition(kind: Admonition.kinds[name] == nil ? "note" : name)
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
        admonition.fold = attributes?.fold ?? (block == .details ? .closed : .none)
        admonition.setTitle(title ?? attributes?.title, in: content)
        // The box has always had its usual title then.
        if admonition.title?.bytes.isEmpty == true { admonition.title = nil }
        return .admonition(admonition)
    }

    /// Sets what a line below `/// note` says.
    mutating func set(_ key: ArraySlice<UInt8>, to value: ArraySlice<UInt8>) {
        guard case .admonition(var admonition) = self else { return }
        switch String(decoding: key, as: UTF8.self) {
        case "type" where value.allSatisfy(DialectScanner.isNamePart): admonition.setKind(value)
        case "open" where value.first.map { $0 | 0x20 } == UInt8(ascii: "t"):
            admonition.fold = .open
        default: return
        }
        self = .admonition(admonition)
    }

    /// A tag of GitBook or a shortcode of Hugo, alone on its line.
    private static func tag(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        let line = DialectScanner(content).rest
        guard let (open, close) = tags.first(where: { line.starts(with: $0.open.utf8) }),
            line.suffix(close.utf8.count).elementsEqual(close.utf8),
            line.count > open.utf8.count + close.utf8.count
        else { return nil }
        var inside = line.dropFirst(open.utf8.count).dropLast(close.utf8.count)
        // Another tag on the line.
        let hasOther = inside.indices.contains { index in
            tagMarks.contains { inside[index...].starts(with: $0) }
        }
        if hasOther { return nil }
        if inside.last == UInt8(ascii: "/") { inside.removeLast() }
        var scanner = DialectScanner(inside)
        let name = String(decoding: scanner.word(), as: UTF8.self)
        let end = open == "{% " ? "end" : "/"
        if name.hasPrefix(end), scanner.isAtEnd {
            return NamedBlock.named(String(name.dropFirst(end.count))).map { .end($0) }
        }
        if NamedBlock.named(name) == .code, open == "{% " { return .code(attributes: scanner.rest) }
        guard
            let attributes = BlockAttributes(
                scanner.rest,
                allowsWords: open != "{% " || DialectFrame.isName(name)
            )
        else {
            return nil
        }
        return block(named: name, attributes, takesAnyKind: open == "{% ", in: content)
    }

    /// A tag of a component of MDX or Vue, alone on its line.
    private static func component(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        let line = DialectScanner(content).rest
        let isEnd = line.dropFirst().first == UInt8(ascii: "/")
        let name = line.dropFirst(isEnd ? 2 : 1).prefix { $0.isLetterOrDigit }
        var inside = line[name.endIndex...].dropLast()
        // 'TABLE' is HTML.
        guard (65...90).contains(name.first ?? 0), line.last == UInt8(ascii: ">"),
            name.contains(where: { (97...122).contains($0) })
        else { return nil }
        // 'CardGrid' is 'card-grid'.
        let word = name.enumerated().reduce(into: "") { word, letter in
            let isUpper = (65...90).contains(letter.element)
            if isUpper, letter.offset > 0 { word += "-" }
            word.append(Character(Unicode.Scalar(letter.element | 0x20)))
        }
        if isEnd { return inside.isEmpty ? .end(NamedBlock.named(word) ?? .component) : nil }
        let isWhole = inside.last == UInt8(ascii: "/")
        if isWhole { inside.removeLast() }
        let attributes = BlockAttributes(inside, allowsWords: true)
        if isWhole {
            guard let attributes else { return .component }
            if ["figure", "image", "img"].contains(word),
                attributes["src"]?.first != UInt8(ascii: "{")
            {
                return DialectFigure(attributes).map { .figure($0) } ?? .component
            }
            if let frame = DialectFrame(named: word, attributes) { return .frame(frame) }
            return texts(attributes) ?? .component
        }
        if let attributes {
            if let block = block(named: word, attributes, takesAnyKind: false, in: content) {
                return block
            }
            if NamedBlock.named(word) == nil, let address = attributes.address {
                return .link(address: address)
            }
        }
        return .begin(NamedBlock.named(word) ?? .component)
    }

    /// What a tag of Hugo stands for that has no end: a card.
    static func withoutEnd(_ content: ArraySlice<UInt8>) -> DialectBlock? {
        var scanner = DialectScanner(DialectScanner(content).rest.dropFirst(3).dropLast(3))
        guard NamedBlock.named(String(decoding: scanner.word(), as: UTF8.self)) == .box,
            let attributes = BlockAttributes(scanner.rest, allowsWords: true),
            attributes.address != nil
        else { return nil }
        return texts(attributes)
    }

    private static func texts(_ attributes: BlockAttributes) -> DialectBlock? {
        let texts = NamedBlock.textKeys.compactMap { attributes[$0] }
            .filter { !$0.isEmpty && $0.first != UInt8(ascii: "{") }
        return texts.isEmpty ? nil : .texts(texts, address: attributes.address)
    }

    /// - Parameter takesAnyKind: whether a box may have a kind that the author made up.
    private static func block(
        named name: String,
        _ attributes: BlockAttributes,
        takesAnyKind: Bool,
        in content: ArraySlice<UInt8>
    ) -> DialectBlock? {
        if let frame = DialectFrame(named: name, attributes) { return .frame(frame) }
        guard let block = NamedBlock.named(name) else { return nil }
        var words = attributes.words[...]
        func title() -> ArraySlice<UInt8>? {
            let title = NamedBlock.titleKeys.lazy.compactMap { attributes[$0] }.first ?? words.first
            // An expression of JavaScript.
            return title?.first == UInt8(ascii: "{") ? nil : title
        }
        switch block {
        case .box:
            var admonition = Admonition(kind: name == "hint" ? "info" : "note")
            let kinds = NamedBlock.kindKeys.lazy.compactMap { attributes[$0] }
            if kinds.isEmpty, NamedBlock.isKind(name) {
                admonition = Admonition(kind: name)
            } else if let kind = kinds.first ?? words.first {
                if kinds.isEmpty { words.removeFirst() }
                guard kind.allSatisfy(DialectScanner.isNamePart) else { return nil }
                let isKnown = Admonition.kinds[String(decoding: kind, as: UTF8.self)] != nil
                if isKnown || takesAnyKind { admonition.setKind(kind) }
            }
            admonition.setTitle(title(), in: content)
            admonition.address = attributes.address
            return .admonition(admonition)
        case .details:
            var admonition = Admonition(kind: "note")
            admonition.fold = attributes.fold ?? .closed
            admonition.setTitle(title(), in: content)
            return .admonition(admonition)
        case .tab:
            return title().map {
                .tab(title: Array($0), offset: $0.startIndex - content.startIndex)
            }
        case .figure: return DialectFigure(attributes).map { .figure($0) }
        case .step:
            var step = Admonition(kind: "note")
            step.setTitle(title(), in: content)
            return .step(step)
        case .frame: return nil
        default: return .begin(block)
        }
    }

    private static let tagMarks = ["{%", "%}", "{{", "}}"].map { Array($0.utf8) }
    private static let tags = [
        (open: "{% ", close: " %}"), (open: "{{<", close: ">}}"), (open: "{{%", close: "%}}"),
    ]
}
