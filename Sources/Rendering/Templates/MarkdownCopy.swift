import HTML
import Markdown
import MarkdownWriting

/// A page as GitHub's Markdown, for programs that read it.
///
/// It is made of the page's HTML and not of its source, so it says what the page says and nothing
/// else: no comment, no front matter, no footnote that nothing refers to.
struct MarkdownCopy: MarkdownPage {
    let dialect = MarkdownDialect.gitHub
    /// Of the site, which makes its links absolute; empty for paths.
    let origin: String
    /// Of the page, encoded.
    let url: String

    /// - Parameters:
    ///   - document: with its HTML.
    ///   - urls: the resolved URLs of its references, as for the page.
    ///   - title: the heading of the page, if its text has none.
    ///   - titleLevel: the level of the heading that is its title, if that is not 1.
    ///   - listing: the HTML of the pages that the page lists; empty for none.
    func bytes(
        of document: RenderedDocument,
        urls: [String],
        title: String?,
        titleLevel: Int?,
        listing: [UInt8] = []
    ) -> [UInt8] {
        let drawings = document.codeBlocks.map { block -> [UInt8]? in
            guard let drawn = DrawnLanguage(codeBlock: block.language), drawn != .math else {
                return nil
            }
            let start = "<pre><code class=\"language-\(drawn.rawValue)\">"
            return Array(start.utf8) + document.html[block.range] + Array("</code></pre>".utf8)
        }
        var nameOfTitle = titleLevel.map { "h\($0)" }
        let html = document.filled(with: urls, code: drawings)
        let tree = MarkupReader.tree(html, isXML: false, isLeftOut: Self.isHidden) { piece in
            guard piece.name == nameOfTitle else { return plain(piece) }
            nameOfTitle = nil
            return .element("h1", [:], piece.children)
        }
        let list = MarkupReader.tree(
            listing,
            isXML: false,
            isLeftOut: Self.isHidden,
            rewrite: plain
        )
        let heading = title.map { [Markup.element("h1", [:], [.text($0)])] } ?? []
        let text = writer.text(heading + tree.children + list.children)
        return text.isEmpty ? [] : Array(text.utf8) + [10]
    }

    private static func isHidden(_ piece: Markup) -> Bool {
        HTMLTokenizer.rawTextElements.contains(piece.name)
            || piece["aria-hidden"] == "true" || piece.attributes["hidden"] != nil
            || piece.classes.contains { ["anchor", "footnote-backref", "toc"].contains($0) }
    }

    private var writer: MarkdownWriter { MarkdownWriter(page: self) }

    /// What GitHub's Markdown has for an element of the theme.
    private func plain(_ piece: Markup) -> Markup {
        for name in piece.classes {
            switch name {
            case "math":
                return piece.name == "span"
                    ? Markup(.inline(piece.words)) : Markup(.block(piece.text.trimmedSpaces))
            case "footnote-ref": return Markup(.inline("[^\(piece.words)]"))
            case "footnotes":
                let notes = (piece.child("ol")?.children("li") ?? []).enumerated().map {
                    MarkdownWriter.marked(writer.text($1.children), "[^\($0 + 1)]: ")
                }
                return Markup(.block(notes.joined(separator: "\n\n")))
            case "markdown-alert": return alert(piece)
            case "tabs":
                return piece.with(
                    piece.children.flatMap { child in
                        guard case .details(let summary) = child.kind else { return [child] }
                        return [strong([.text(summary)])] + child.children
                    }
                )
            case "code-title": return strong(piece.children)
            default: continue
            }
        }
        switch piece.name {
        case "a" where !piece["href"].isEmpty && !writer.isInline(piece):
            let text = Markup(.inline(writer.text(piece.children).words))
            return .element("a", piece.attributes, [text])
        case "audio", "video": return .element("span", [:], piece.children)
        case "details":
            let text = piece.children.filter { $0.name != "summary" }
            return Markup(.details(summary: piece.child("summary")?.text ?? ""), text)
        case "hr": return Markup(.block("---"))
        default: return piece
        }
    }

    /// A title of its own is bold in the box, because GitHub's boxes have none.
    private func alert(_ piece: Markup) -> Markup {
        let prefix = "markdown-alert-"
        let kind = piece.classes.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count) ?? ""
        var children = piece.children
        if let first = children.firstIndex(where: { $0.classes.contains("\(prefix)title") }) {
            let title = children.remove(at: first)
            if title.words.lowercased() != kind {
                children.insert(strong(title.children), at: first)
            }
        }
        return Markup(.alert(kind.uppercased(), title: ""), children)
    }

    private func strong(_ pieces: [Markup]) -> Markup {
        .element("p", [:], [.element("strong", [:], pieces)])
    }

    func link(_ address: String, text: String) -> String { "[\(text)](\(absolute(address)))" }

    func image(_ piece: Markup) -> String {
        "![\(MarkdownText.escaped(piece["alt"].words, dialect))](\(absolute(piece["src"])))"
    }

    func isWanted(_: String) -> Bool { false }
    func note(_: String) {}

    /// The address of a link, absolute if the origin is known.
    private func absolute(_ address: String) -> String {
        let whole =
            address.hasPrefix("#")
            ? origin + url + address
            : address.hasPrefix("/") && !address.hasPrefix("//") ? origin + address : address
        return whole.contains(where: { " ()<>".contains($0) })
            ? "<\(whole.replacing("<", with: "%3C").replacing(">", with: "%3E"))>" : whole
    }
}
