import HTML
import Markdown

/// A page as GitHub's Markdown, for programs that read it.
///
/// It is made of the page's HTML and not of its source, so it says what the page says and nothing
/// else: no comment, no front matter, no footnote that nothing refers to.
struct MarkdownCopy {
    /// An element whose end tag has not come yet.
    private struct Element {
        let name: String
        /// What stands behind its text.
        var end = ""
        var gap = Gap.none
        var hasMargin = false
    }

    /// What parts two texts.
    private enum Gap: Int {
        case none, space, line, blank
    }

    private let html: [UInt8]
    private let origin: String
    private let url: String
    private var titleLevel: Int?
    private var tokens: HTMLTokenizer

    private(set) var bytes: [UInt8] = []
    private var open: [Element] = []
    /// What the lines of the open blocks begin with; a mark only the first one.
    private var margins: [(mark: String?, others: String)] = []
    /// The numbers of the next items of the open lists; `nil` for bullets.
    private var lists: [Int?] = []
    private var gap = Gap.none
    /// The number of cells in the open row; `nil` outside of tables.
    private var cells: Int?
    private var isFirstRow = true
    private var isInNotes = false

    /// - Parameters:
    ///   - document: with its HTML.
    ///   - urls: the resolved URLs of its references, as for the page.
    ///   - title: the heading of the page, if its text has none.
    ///   - titleLevel: the level of the heading that is its title, if that is not 1.
    ///   - origin: of the site, which makes its links absolute; empty for paths.
    ///   - url: of the page, encoded.
    init(
        _ document: RenderedDocument,
        urls: [String],
        title: String?,
        titleLevel: Int?,
        origin: String,
        url: String
    ) {
        let drawings = document.codeBlocks.map { block -> [UInt8]? in
            guard let drawn = DrawnLanguage(codeBlock: block.language), drawn != .math else {
                return nil
            }
            let start = "<pre><code class=\"language-\(drawn.rawValue)\">"
            return Array(start.utf8) + document.html[block.range] + Array("</code></pre>".utf8)
        }
        html = document.filled(with: urls, code: drawings)
        tokens = HTMLTokenizer(html)
        (self.titleLevel, self.origin, self.url) = (titleLevel, origin, url)
        bytes.reserveCapacity(html.count)
        if let title {
            write("# ")
            write(text: title)
            part(.blank)
        }
        while let token = tokens.next() {
            switch token {
            case .text(let range): write(text: HTMLTokenizer.decoded(html[range]))
            case .startTag(let tag): begin(tag)
            case .endTag(let name, _):
                guard let index = open.lastIndex(where: { $0.name == name }) else { continue }
                while open.count > index { end(open.removeLast()) }
            case .rawText, .comment: continue
            }
        }
        while let last = open.popLast() { end(last) }
        if !bytes.isEmpty { bytes.append(10) }
    }

    // MARK: Elements

    private static let marks = [
        "em": "*", "i": "*", "strong": "**", "b": "**", "del": "~~", "s": "~~",
    ]
    /// Elements without a counterpart, whose tags say something.
    private static let tags: Set<String> = ["ins", "kbd", "mark", "sub", "sup", "u"]
    private static let inline: Set<String> = [
        "abbr", "audio", "bdi", "bdo", "cite", "dfn", "label", "q", "samp", "small", "span", "time",
        "var", "video",
    ]
    private static let void: Set<String> = [
        "area", "base", "col", "embed", "input", "link", "meta", "source", "track", "wbr",
    ]

    private mutating func begin(_ tag: HTMLTag) {
        let classes = Set(tag["class"].split(separator: " "))
        if tag["aria-hidden"] == "true" || tag.has("hidden")
            || !classes.isDisjoint(with: ["anchor", "footnote-backref", "toc"])
        {
            return _ = content(of: tag.name)
        }
        if classes.contains("math") { return writeFormula(tag.name) }
        var element = Element(name: tag.name)
        switch tag.name {
        case "br": return write(cells == nil ? "\\\n" : "<br>")
        case "hr":
            part(.blank)
            write("---")
            return part(.blank)
        case "img": return write("![\(tag["alt"])](\(address(tag["src"])))")
        case "input" where tag["type"] == "checkbox":
            write(tag.has("checked") ? "[x]" : "[ ]")
            return part(.space)
        case "pre", "code": return writeCode(tag)
        case "sup" where classes.contains("footnote-ref"):
            write("[^")
            element.end = "]"
        case "a" where !tag["href"].isEmpty && !tag.has("data-footnote-ref"):
            write("[")
            element.end = "](\(address(tag["href"])))"
        case "a": break
        case let name where Self.marks[name] != nil:
            element.end = Self.marks[name] ?? ""
            write(element.end)
        case let name where Self.tags.contains(name):
            write("<\(name)>")
            element.end = "</\(name)>"
        case let name where Self.inline.contains(name): break
        case let name where Self.void.contains(name): return
        default: beginBlock(&element, tag, classes)
        }
        open.append(element)
    }

    private mutating func beginBlock(
        _ element: inout Element,
        _ tag: HTMLTag,
        _ classes: Set<Substring>
    ) {
        // Their end tags may be left out.
        if let last = open.last, last.name == "p" || last.name == "li" && tag.name == "li" {
            end(open.removeLast())
        }
        element.gap = .blank
        let isInItem = open.last?.name == "li"
        switch tag.name {
        case "tr", "thead", "tbody": element.gap = .line
        case "td", "th": (element.gap, element.end) = (.none, " |")
        case "ul", "ol": element.gap = isInItem ? .line : .blank
        case "li", "dt", "dd": element.gap = .line
        default: break
        }
        if tag.name == "tr" { cells = nil }
        part(element.gap)
        switch tag.name {
        case "tr":
            write("|")
            cells = 0
        case "td", "th":
            cells = (cells ?? 0) + 1
            gap = .none
            bytes.append(32)
        case "ul", "ol": lists.append(tag.name == "ol" ? Int(tag["start"]) ?? 1 : nil)
        case "li":
            guard let number = lists.last ?? nil else { return push("- ", &element) }
            lists[lists.count - 1] = number + 1
            let isNote = isInNotes && lists.count == 1
            push(isNote ? "[^\(number)]: " : "\(number). ", &element)
        case "dd": push(": ", &element)
        case "blockquote": push("> ", &element)
        case "section": isInNotes = classes.contains("footnotes")
        case "summary":
            write("**")
            element.end = "**"
        case _ where classes.contains("markdown-alert"): push("> ", &element)
        case _ where !classes.isDisjoint(with: ["code-title", "markdown-alert-title"]):
            write("**")
            element.end = "**"
        case "h1", "h2", "h3", "h4", "h5", "h6":
            let level = Int(tag.name.dropFirst()) ?? 1
            let isTitle = level == titleLevel
            if isTitle { titleLevel = nil }
            write(String(repeating: "#", count: isTitle ? 1 : level) + " ")
        default: break
        }
    }

    private mutating func end(_ element: Element) {
        if !element.end.isEmpty { bytes += element.end.utf8 }
        if element.hasMargin { _ = margins.popLast() }
        switch element.name {
        case "ul", "ol": _ = lists.popLast()
        case "section": isInNotes = false
        case "table": isFirstRow = true
        case "tr":
            if isFirstRow, let cells {
                gap = .line
                write("|" + String(repeating: " --- |", count: cells))
                isFirstRow = false
            }
            cells = nil
        default: break
        }
        part(element.gap)
    }

    /// Begins a block whose lines have a margin.
    private mutating func push(_ mark: String, _ element: inout Element) {
        // Each mark stands before every line of all that is inside.
        guard margins.count < 60, cells == nil else { return }
        let isQuote = mark == "> "
        let width = mark.hasPrefix("[") ? 4 : mark.utf8.count
        margins.append((mark, isQuote ? mark : String(repeating: " ", count: width)))
        element.hasMargin = true
    }

    /// The text up to an end tag, without what is hidden.
    private mutating func content(of name: String) -> (text: String, language: String?) {
        if name == "img" || name == "br" || name == "hr" || Self.void.contains(name) {
            return ("", nil)
        }
        var (text, depth, hidden) = ("", 1, [String]())
        var language: String?
        while let token = tokens.next() {
            switch token {
            case .text(let range) where hidden.isEmpty: text += HTMLTokenizer.decoded(html[range])
            case .startTag(let tag):
                if tag.name == name { depth += 1 }
                let isHidden = tag["aria-hidden"] == "true"
                if isHidden || hidden.contains(tag.name) { hidden.append(tag.name) }
                language = language ?? Self.language(tag)
            case .endTag(let end, _):
                if hidden.last == end { hidden.removeLast() }
                if end == name { depth -= 1 }
                if depth == 0 { return (text, language) }
            default: continue
            }
        }
        return (text, language)
    }

    private static func language(_ tag: HTMLTag) -> String? {
        let prefix = "language-"
        let found = tag["class"].split(separator: " ").first { $0.hasPrefix(prefix) }
        return found.map { String($0.dropFirst(prefix.count)) }
    }

    private mutating func writeFormula(_ name: String) {
        let text = content(of: name).text
        if name == "span" || cells != nil {
            return write(text.split(separator: "\n").joined(separator: " "))
        }
        part(.blank)
        writeLines(text)
        part(.blank)
    }

    private mutating func writeCode(_ tag: HTMLTag) {
        let (text, language) = content(of: tag.name)
        var (run, longest) = (0, 0)
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        if tag.name == "pre", cells == nil {
            let fence = String(repeating: "`", count: max(3, longest + 1))
            part(.blank)
            let end = text.hasSuffix("\n") ? fence : "\n" + fence
            writeLines(fence + (language ?? "") + "\n" + text + end)
            return part(.blank)
        }
        let mark = String(repeating: "`", count: longest + 1)
        let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        let line = text.split(separator: "\n").joined(separator: " ")
        let code = cells == nil ? line : line.replacing("|", with: "\\|")
        write(mark + space + code + space + mark)
    }

    // MARK: Text

    /// The address of a link, absolute if the origin is known.
    private func address(_ address: String) -> String {
        let whole =
            address.hasPrefix("#")
            ? origin + url + address
            : address.hasPrefix("/") && !address.hasPrefix("//") ? origin + address : address
        return whole.contains(where: { " ()<>".contains($0) })
            ? "<\(whole.replacing("<", with: "%3C").replacing(">", with: "%3E"))>" : whole
    }

    private mutating func part(_ other: Gap) {
        if cells != nil {
            if other != .none { gap = .space }
        } else if other.rawValue > gap.rawValue {
            gap = other
        }
    }

    /// Begins a line where one has to begin.
    private mutating func endGap() {
        defer { gap = .none }
        switch gap {
        case .none where !bytes.isEmpty: return
        case .space:
            if let last = bytes.last, last != 10, last != 32 { bytes.append(32) }
            return
        default: break
        }
        if !bytes.isEmpty { beginLine(isBlank: gap == .blank) }
        for index in margins.indices {
            bytes += (margins[index].mark ?? margins[index].others).utf8
            margins[index].mark = nil
        }
    }

    /// Ends a line; a blank one behind it belongs to the blocks that have begun before it.
    private mutating func beginLine(isBlank: Bool) {
        bytes.append(10)
        guard isBlank else { return }
        let text = margins.prefix { $0.mark == nil }.map(\.others).joined()
        bytes += text.utf8.reversed().drop { $0 == 32 }.reversed()
        bytes.append(10)
    }

    private mutating func write(_ markup: String) {
        endGap()
        bytes += markup.utf8
        if markup == "\\\n" { gap = .line; bytes.removeLast() }
    }

    /// Writes lines as they are.
    private mutating func writeLines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            endGap()
            if line.isEmpty { while bytes.last == 32 { bytes.removeLast() } }
            bytes += line.utf8
            gap = .line
        }
    }

    /// Writes a text in which nothing is markup.
    private mutating func write(text: String) {
        let words = text.utf8.split { $0 == 32 || (9...13).contains($0) }
        if let first = text.utf8.first, first == 32 || (9...13).contains(first), gap == .none {
            gap = .space
        }
        for (index, word) in words.enumerated() {
            if index > 0 { gap = .space }
            let isLineStart = gap == .line || gap == .blank || bytes.isEmpty
            endGap()
            write(word: word, isLineStart: isLineStart)
        }
        if !words.isEmpty, let last = text.utf8.last, last == 32 || (9...13).contains(last) {
            gap = .space
        }
    }

    private mutating func write(word: Substring.UTF8View, isLineStart: Bool) {
        let first = word.startIndex
        let digits = word.prefix { (48...57).contains($0) }
        for index in word.indices {
            let byte = word[index]
            let isSpecial: Bool
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "<"):
                isSpecial = true
            case UInt8(ascii: "_"):
                isSpecial = index == first || word.index(after: index) == word.endIndex
            case UInt8(ascii: "|"): isSpecial = cells != nil
            case UInt8(ascii: "~"): isSpecial = word.count > 1
            case UInt8(ascii: "#"), UInt8(ascii: ">"): isSpecial = isLineStart && index == first
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="):
                isSpecial = isLineStart && index == first
            case UInt8(ascii: "."), UInt8(ascii: ")"):
                isSpecial = isLineStart && !digits.isEmpty && index == digits.endIndex
            default: isSpecial = false
            }
            if isSpecial { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
    }
}

extension HTMLTag {
    fileprivate subscript(name: String) -> String {
        attributes.first { $0.name == name }?.value ?? ""
    }

    fileprivate func has(_ name: String) -> Bool { attributes.contains { $0.name == name } }
}
