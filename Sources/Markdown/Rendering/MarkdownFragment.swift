import HTML

/// A document that belongs to no site, as `sitegen markdown` renders it.
public enum MarkdownFragment {
    /// The text of a line, as a heading has it.
    public static func text(ofLine markdown: String) -> String {
        let heading = try? RenderedDocument(Array("# \(markdown)".utf8), MarkdownOptions())
        return heading?.headings.first?.text ?? markdown
    }

    /// - Parameter dangerousURLs: whether URLs that run a program are written.
    public static func html(
        _ markdown: [UInt8],
        _ options: MarkdownOptions,
        dangerousURLs: Bool = false
    ) throws(RenderLimitError) -> [UInt8] {
        let rendered = try RenderedDocument(markdown, options)
        let urls = rendered.references.map { reference in
            var url = reference.destination
            if reference.kind == .title { return url }
            if url.first == "#", let id = rendered.id(linkedBy: String(url.dropFirst())) {
                url = "#" + id
            }
            return !dangerousURLs && HTMLText.isDangerous(url) ? "" : HTMLText.escapeURL(url)
        }
        return rendered.filled(with: urls)
    }
}
