import HTML
import Markdown
import MarkdownWriting

/// A page of Notion: a heading, the values of a database's row, and Markdown.
struct NotionText {
    let title: String
    private(set) var tags: [String] = []
    let pieces: [Markup]

    /// - Parameters:
    ///   - fallback: the title of a page without a heading.
    ///   - isKnown: whether an address is that of a page or a file of the export.
    init(_ bytes: [UInt8], fallback: String, isKnown: (String) -> Bool) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
        func skipEmptyLines() { while lines.first?.words.isEmpty == true { lines.removeFirst() } }
        skipEmptyLines()
        var source: [String] = []
        if let first = lines.first, first.hasPrefix("# ") {
            title = String(first.dropFirst(2)).words
            lines.removeFirst()
            skipEmptyLines()
            // Lines such as 'Status: Done' up to the first empty one are values.
            let block = lines.prefix { !$0.words.isEmpty }
            let values = block.compactMap(Self.property)
            if values.count == block.count {
                lines = lines.dropFirst(block.count)
                for (key, value) in values {
                    let parts = Self.links(in: value, isKnown: isKnown).map { text, address in
                        address.isEmpty ? text : Self.link(text, address)
                    }
                    let list = parts.joined(separator: ", ")
                    source.append("- **\(MarkdownText.escaped(key))**: \(list)")
                    if key.lowercased() == "tags" {
                        tags = value.split(separator: ",").map { String($0).words }
                    }
                }
            }
        } else {
            title = fallback
        }
        source += Self.commonMarkdown(lines)
        var options = MarkdownOptions()
        options.formulas = true
        let html = try MarkdownFragment.html(
            Array(source.joined(separator: "\n").utf8),
            options,
            dangerousURLs: true
        )
        pieces = MarkupReader.tree(html, isXML: false, rewrite: Self.rewritten).children
    }

    private static func property(_ line: Substring) -> (key: String, value: String)? {
        guard let colon = line.firstIndex(of: ":"), line.first?.isLetter == true else { return nil }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.first == " ", line[..<colon].count <= 60 else { return nil }
        return (String(line[..<colon]), String(rest).words)
    }

    /// The parts of a value such as `Page/a%20b.pdf, Title (../Title%200123.md)`, with the addresses
    /// of those that are in the export.
    static func links(
        in value: String,
        isKnown: (String) -> Bool
    ) -> [(text: String, address: String)] {
        value.split(separator: ", ", omittingEmptySubsequences: false).map { part in
            var address = part
            var text = String(part.percentDecoded.split(separator: "/").last ?? "")
            if part.last == ")", let open = part.ranges(of: " (").last {
                text = String(part[..<open.lowerBound])
                address = part[open.upperBound...].dropLast()
            }
            return isKnown(String(address)) ? (text, String(address)) : (String(part), "")
        }
    }

    private static func link(_ text: String, _ address: String) -> String {
        "[\(MarkdownText.escaped(text))](\(MarkdownText.destination(address)))"
    }

    /// Notion's lines with boxes as GitHub writes them, and text in angle brackets as text.
    private static func commonMarkdown(_ lines: ArraySlice<Substring>) -> [String] {
        var result: [String] = []
        var fence: Substring?
        var isInBox = false
        for line in lines {
            let content = line.drop(while: \.isWhitespace)
            let ticks = content.prefix { $0 == "`" }
            let isTag = content.lowercased().hasPrefix("<aside>")
            if let open = fence {
                if ticks.count >= open.count { fence = nil }
            } else if ticks.count >= 3 {
                fence = ticks
            } else if isInBox, content.lowercased().hasPrefix("</aside>") {
                isInBox = false
                result.append("")
                continue
            } else if isTag {
                isInBox = true
                result += ["", "> [!NOTE]"]
            }
            let text = isTag && fence == nil ? content.dropFirst(7) : line
            result.append((isInBox ? "> " : "") + (fence != nil ? String(text) : withoutTags(text)))
        }
        return result
    }

    private static func withoutTags(_ line: Substring) -> String {
        var result = ""
        var isCode = false
        var rest = line
        while let character = rest.first {
            if character == "`" { isCode.toggle() }
            if character == "<", !isCode, result.last != "\\" {
                if let (markdown, length) = replacement(ofTag: rest) {
                    result += markdown
                    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: length)...]
                    continue
                }
                let name = rest.dropFirst().drop { $0 == "/" }.prefix(9).lowercased()
                let tags = ["details>", "summary>", "br>", "br/>", "sub>", "sup>", "u>", "http"]
                if !tags.contains(where: name.hasPrefix) { result += "\\" }
            }
            result.append(character)
            rest.removeFirst()
        }
        return result
    }

    /// What stands for a picture, and for a colour.
    private static func replacement(ofTag text: Substring) -> (markdown: String, length: Int)? {
        guard ["<img ", "<span", "</span"].contains(where: text.hasPrefix) else { return nil }
        var tokens = HTMLTokenizer(Array(text.utf8.prefix(8_000)))
        switch tokens.next() {
        case .startTag(let tag) where tag.name == "img":
            func value(_ name: String) -> String {
                tag.attributes.first { $0.name == name }?.value ?? ""
            }
            // The icon of a box.
            let isIcon = value("src").contains("notion.so/icons/")
            return (isIcon ? "" : "!\(link(value("alt"), value("src")))", tag.range.count)
        case .startTag(let tag) where tag.name == "span": return ("", tag.range.count)
        case .endTag(name: "span", let range): return ("", range.count)
        default: return nil
        }
    }

    /// What an element of the renderer means.
    private static func rewritten(_ piece: Markup) -> Markup {
        if piece.classes.contains("markdown-alert") {
            let isTitle = { (child: Markup) in child.classes.contains("markdown-alert-title") }
            return Markup(.alert("NOTE", title: ""), piece.children.filter { !isTitle($0) })
        }
        if piece.classes.contains("math") {
            let text = String(piece.text.drop { $0 == "$" }).trimmedSpaces
            let formula = String(text.prefix { $0 != "$" })
            return piece.name == "span"
                ? Markup(.inline("$\(MarkdownText.code(formula))$"))
                : Markup(.block(MarkdownText.codeBlock(formula, language: "math", isDrawn: true)))
        }
        guard piece.name == "details", let summary = piece.child("summary") else { return piece }
        let rest = piece.children.filter { $0.name != "summary" }
        return Markup(.details(summary: summary.words), rest)
    }
}
