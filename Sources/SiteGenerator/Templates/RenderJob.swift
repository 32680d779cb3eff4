import Markdown
import OpenSSL

/// What a page is rendered from, except its content.
struct RenderJob: Sendable {
    /// The path in the release.
    let path: String
    let page: Page
    let urls: [String]
    let template: String
    let context: TemplateContext
    /// A digest of all inputs of the page, except the highlighting of its code.
    private let parts: [UInt8]
    private let hasColours: Bool

    init(
        _ page: Page,
        urls: [String],
        _ context: TemplateContext,
        _ templates: TemplateSet,
        _ configuration: SiteConfiguration,
        _ identity: BuildIdentity
    ) {
        self.page = page
        self.urls = urls
        self.context = context
        path = page.outputPath
        hasColours = configuration.highlights && !page.document.codeBlocks.isEmpty
        var parts = OutputKey(identity)
        parts.add(configuration.highlights ? 1 : 0)
        parts.add(templates.digest)
        template = templates.name(ofPage: page)
        parts.add(template)
        parts.add(page.key)
        parts.add(value: context)
        parts.add(urls.count)
        for url in urls { parts.add(url) }
        self.parts = parts.digest
    }

    /// A digest of all inputs of the page; `nil` if they are not known.
    ///
    /// - Parameter highlighter: the highlighter's identity; `nil` if there was none, since the next
    ///   build may have one.
    func key(highlighter: String?) -> [UInt8]? {
        if !hasColours { return parts }
        return highlighter.map { Digest.sha256(parts + Array($0.utf8)) }
    }
}
