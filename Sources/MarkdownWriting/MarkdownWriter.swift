/// Whose Markdown is written.
package enum MarkdownDialect {
    /// GitHub's, for programs, which understand more than they should.
    case gitHub
    /// What a build reads, which understands much more, such as includes.
    case sitegen
}

/// A page that becomes Markdown.
package protocol MarkdownPage {
    var dialect: MarkdownDialect { get }
    /// - Parameter text: Markdown; may be empty.
    func link(_ address: String, text: String) -> String
    func image(_ piece: Markup) -> String
    /// Whether a link leads to a place of this name.
    func isWanted(_ anchor: String) -> Bool
    /// Takes note of what has no counterpart.
    func note(_ use: String)
}

/// Writes pieces of a page as Markdown.
///
/// Its calls are as deep as the pieces are nested, which ``MarkupReader`` bounds.
package struct MarkdownWriter {
    /// A block, without the empty line around it.
    struct Block {
        let text: String
        /// `ul` and `ol`: two lists next to each other would be one.
        var list = ""

        /// Whether it is a list that needs no empty line in front of it (CommonMark 0.30, section 5.3).
        var followsText: Bool {
            let line = list.isEmpty ? "" : text.prefix { $0 != "\n" }
            return ["- ", "1. "].contains { line.hasPrefix($0) && line.count > $0.count }
        }
    }

    let page: any MarkdownPage
    var dialect: MarkdownDialect { page.dialect }

    package init(page: any MarkdownPage) { self.page = page }

    package func text(_ pieces: [Markup]) -> String { joined(blocks(pieces)) }

    private func joined(_ blocks: [Block]) -> String {
        var text = ""
        var list = ""
        for block in blocks {
            if !text.isEmpty { text += "\n\n" }
            if !block.list.isEmpty, block.list == list, dialect == .sitegen {
                text += "<!-- -->\n\n"
            }
            text += block.text
            list = block.list
        }
        return text
    }

    func blocks(_ pieces: [Markup]) -> [Block] {
        var blocks: [Block] = []
        var run: [Markup] = []
        func endRun() {
            let text = MarkdownText.paragraph(inline(run), dialect)
            if !text.isEmpty { blocks.append(Block(text: text)) }
            run = []
        }
        for piece in pieces {
            if isInline(piece) {
                run.append(piece)
            } else {
                endRun()
                blocks += block(piece)
            }
        }
        endRun()
        return blocks
    }

    private func block(_ piece: Markup) -> [Block] {
        switch piece.kind {
        case .element(let name): return element(name, piece)
        case .alert(let kind, let title):
            let title = title.words
            let mark =
                title.isEmpty
                ? "[!\(kind)]" : "[!\(kind.lowercased())] \(MarkdownText.escaped(title))"
            return quoted(mark + "\n" + text(piece.children))
        case .code(let text, let language, let title):
            let code = MarkdownText.codeBlock(text, language: language, title: title)
            return [Block(text: code)]
        case .details(let summary):
            let title = MarkdownText.html(summary.isEmpty ? "Details" : summary.words)
            let open = Block(text: "<details>\n<summary>\(title)</summary>")
            return [open] + blocks(piece.children) + [Block(text: "</details>")]
        case .task: return [list("ul", [piece], start: 1)]
        case .block(let text): return text.isEmpty ? [] : [Block(text: text)]
        case .text, .inline: return []
        }
    }

    private func element(_ name: String, _ piece: Markup) -> [Block] {
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6": return heading(piece)
        case "ul", "ol":
            let items = piece.children.filter { item in
                if case .text(let text) = item.kind { return !text.words.isEmpty }
                return true
            }
            return items.isEmpty ? [] : [list(name, items, start: Int(piece["start"]) ?? 1)]
        case "blockquote": return quoted(text(piece.children))
        case "pre":
            let prefix = "language-"
            let language = piece.child("code")?.classes.first { $0.hasPrefix(prefix) } ?? ""
            let name = String(language.dropFirst(prefix.count))
            let isDrawn = ["math", "mermaid"].contains(name)
            let code = MarkdownText.codeBlock(piece.text, language: name, isDrawn: isDrawn, dialect)
            return [Block(text: code)]
        case "hr": return [Block(text: "***")]
        case "table": return MarkdownTable(piece, writer: self).blocks
        case "dt": return blocks([.element("strong", [:], piece.children)])
        case "dd": return quoted(text(piece.children))
        case "script", "style", "head", "template":
            if name == "script" { page.note("element 'script', left out") }
            return []
        case "iframe", "video", "audio", "embed", "object":
            page.note("element '\(name)', now a link")
            let source = piece.first { $0.name == "source" }?["src"] ?? ""
            let address = [piece["src"], piece["data"], source].first { !$0.isEmpty } ?? ""
            let link = Markup.element("a", ["href": address], [.text(address)])
            return blocks([link] + piece.children)
        default:
            if !Self.containers.contains(name), !Self.isInline(name) {
                page.note("element '\(name)'")
            }
            let anchor = anchor(piece["id"])
            return (anchor.isEmpty ? [] : [Block(text: anchor)]) + blocks(piece.children)
        }
    }

    private static let containers: Set<String> = [
        "address", "article", "aside", "body", "input", "center", "dd", "div", "dl", "document",
        "fieldset", "figcaption", "figure", "footer", "form", "header", "li", "main", "nav", "p",
        "section", "summary", "tbody", "td", "th", "thead", "tr",
    ]

    private func heading(_ piece: Markup) -> [Block] {
        let text = inline(piece.children, lineBreak: " ").trimmedSpaces
        if text.isEmpty { return blocks(piece.children) }
        // The title of an imported page is above them, as in the other system.
        let shift = dialect == .sitegen ? 1 : 0
        let level = min((Int(piece.name.dropFirst()) ?? 1) + shift, 6)
        // A mark at the end of a heading is no part of its text.
        let end = text.hasSuffix("#") ? "\(text.dropLast())\\#" : text
        var line = String(repeating: "#", count: level) + " " + end
        let names = [piece["id"], piece.text.filter { !$0.isWhitespace }]
        if let name = names.first(where: page.isWanted) {
            line += " {#\(MarkdownText.anchor(name))}"
        }
        return [Block(text: line)]
    }

    /// A place for links, where one leads there.
    func anchor(_ name: String) -> String {
        page.isWanted(name) ? "<a id=\"\(MarkdownText.anchor(name))\"></a>" : ""
    }

    private func list(_ kind: String, _ items: [Markup], start: Int) -> Block {
        let contents = items.map { item -> (mark: String, blocks: [Block]) in
            if case .task(let isDone) = item.kind {
                return (isDone ? "[x] " : "[ ] ", blocks(item.children))
            }
            let content = blocks(item.name == "li" ? item.children : [item])
            guard let box = item.children.first(where: { $0.name == "input" }) else {
                return ("", content)
            }
            return (box.attributes["checked"] == nil ? "[ ] " : "[x] ", content)
        }
        let isTight = contents.allSatisfy { $0.blocks.dropFirst().allSatisfy(\.followsText) }
        let separator = isTight ? "\n" : "\n\n"
        let first = min(max(start, 0), 1_000_000)
        let lines = contents.enumerated().map { index, content in
            let mark = kind == "ol" ? "\(first + index). " : "- "
            let text = content.blocks.map(\.text).joined(separator: separator)
            return Self.marked(content.mark + text, mark)
        }
        return Block(text: lines.joined(separator: separator), list: kind)
    }

    /// Lines with a mark in front of the first one, and in front of the others that of a quote or space.
    package static func marked(_ text: String, _ mark: String) -> String {
        let width = mark.hasPrefix("[") ? 4 : mark.utf8.count
        let margin = mark == "> " ? mark : String(repeating: " ", count: width)
        let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
        let end = margin.trimmedSpaces
        return lines.enumerated().map { index, line in
            if line.isEmpty, index > 0 || margin == mark { return end }
            return (index == 0 ? mark : margin) + String(Substring(line))
        }.joined(separator: "\n")
    }

    private func quoted(_ text: String) -> [Block] {
        text.isEmpty ? [] : [Block(text: Self.marked(text, "> "))]
    }
}

extension String {
    package var trimmedSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
