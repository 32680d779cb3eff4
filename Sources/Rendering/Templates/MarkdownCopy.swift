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
    func bytes(
        of document: RenderedDocument,
        urls: [String],
        title: String?,
        titleLevel: Int?
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
        let heading = title.map { [Markup.element("h1", [:], [.text($0)])] } ?? []
        let text = writer.text(heading + tree.children)
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
            case "markdown-alert": return .element("blockquote", [:], piece.children)
            case "code-title", "markdown-alert-title": return strong(piece)
            default: continue
            }
        }
        switch piece.name {
        case "a" where !piece["href"].isEmpty && !writer.isInline(piece):
            let text = Markup(.inline(writer.text(piece.children).words))
            return .element("a", piece.attributes, [text])
        case "audio", "video": return .element("span", [:], piece.children)
        case "dl":
            let texts = piece.children.map { part in
                let text = writer.text(part.name.isEmpty ? [part] : part.children)
                return part.name == "dd" ? MarkdownWriter.marked(text, ": ") : text
            }
            return Markup(.block(texts.filter { !$0.isEmpty }.joined(separator: "\n")))
        case "hr": return Markup(.block("---"))
        case "summary": return strong(piece)
        default: return piece
        }
    }

    private func strong(_ piece: Markup) -> Markup {
        .element("p", [:], [.element("strong", [:], piece.children)])
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
