import Diagnostics
import Markdown
import OpenSSL

/// A page that is to be written, or to be taken over as it is.
struct RenderJob: Sendable {
    /// Below the release.
    let path: String
    let page: Page
    let urls: [String]
    let template: String
    let context: TemplateContext
    /// The file of the last release that was made of the same.
    let unchanged: OutputCache.Kept?
    /// With its HTML, where the page is made anew.
    let document: RenderedDocument?
    private(set) var diagnostics: [Diagnostic] = []
    /// Of all that goes into the page but the colours of its code.
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

    /// A digest of all that goes into the page; `nil` where nobody knows what did.
    ///
    /// - Parameter highlighter: who coloured its code. Where nobody did, somebody may next time.
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
