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
    /// A digest of all inputs of the page, except its Markdown and the highlighting of its code.
    let frame: [UInt8]
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
        parts.add(value: context)
        parts.add(urls.count)
        for url in urls { parts.add(url) }
        frame = parts.digest
    }

    /// A digest of all inputs of the page; `nil` if they are not known.
    ///
    /// - Parameter highlighter: the highlighter's identity; `nil` if there was none, since the next
    ///   build may have one.
    func key(highlighter: String?) -> [UInt8]? {
        Self.key(frame, page.key, hasColours: hasColours, highlighter)
    }

    static func key(
        _ frame: [UInt8],
        _ source: [UInt8],
        hasColours: Bool,
        _ highlighter: String?
    ) -> [UInt8]? {
        if !hasColours { return Digest.sha256(frame + source) }
        return highlighter.map { Digest.sha256(frame + source + Array($0.utf8)) }
    }
}
