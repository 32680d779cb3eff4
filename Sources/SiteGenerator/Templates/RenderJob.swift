import Diagnostics
import Markdown
import OpenSSL

/// A page to render, or to reuse from the previous release.
struct RenderJob: Sendable {
    /// The path in the release.
    let path: String
    let page: Page
    let urls: [String]
    let template: String
    let context: TemplateContext
    /// The file of the previous release with the same inputs.
    let unchanged: OutputCache.Kept?
    /// The document with its HTML, if the page is rendered again.
    let document: RenderedDocument?
    private(set) var diagnostics: [Diagnostic] = []
    /// A digest of all inputs of the page, except the highlighting of its code.
    private let parts: String
    private let hasColours: Bool

    init(
        _ page: Page,
        urls: [String],
        _ context: TemplateContext,
        _ templates: TemplateSet,
        _ configuration: SiteConfiguration,
        _ incremental: IncrementalBuild
    ) {
        self.page = page
        self.urls = urls
        self.context = context
        path = "site\(page.url)index.html"
        hasColours = configuration.highlights && !page.document.codeBlocks.isEmpty
        var parts = OutputKey(incremental.identity)
        parts.add(configuration.highlights ? 1 : 0)
        parts.add(templates.digest)
        template = templates.name(ofPage: page)
        parts.add(template)
        parts.add(page.key)
        parts.add(value: context)
        parts.add(urls.count)
        for url in urls { parts.add(url) }
        self.parts = parts.text
        let key = Self.key(self.parts, hasColours, highlighter: incremental.highlighter)
        unchanged = key.flatMap { [path] in incremental.outputs.file(path, madeOf: $0) }
        document =
            unchanged == nil ? page.wholeDocument(configuration, incremental.identity) : nil
        if unchanged == nil, document == nil {
            let message = "the file changed during the build; build again"
            let location = SourceLocation(page.file.displayPath)
            diagnostics = [Diagnostic(.sourceFile, message, at: location)]
        }
    }

    /// A digest of all inputs of the page; `nil` if they are not known.
    ///
    /// - Parameter highlighter: the highlighter's identity; `nil` if there was none, since the next
    ///   build may have one.
    func key(highlighter: String?) -> String? {
        Self.key(parts, hasColours, highlighter: highlighter)
    }

    private static func key(
        _ parts: String,
        _ hasColours: Bool,
        highlighter: String?
    ) -> String? {
        if !hasColours { return parts }
        guard let highlighter else { return nil }
        return Digest.hexadecimal(Digest.sha256(Array("\(parts) \(highlighter)".utf8)))
    }
}
