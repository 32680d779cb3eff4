import Markdown
import OpenSSL

/// What a page is rendered from, except its content.
struct RenderJob: Sendable {
    /// The path in the release.
    let path: String
    let urls: [String]
    let template: String
    /// The values that do not come from the page's text alone.
    let values: TemplateValues
    /// The level of the heading that is the page's title; see ``Page/titleLevel``.
    let titleLevel: Int?
    let showsContents: Bool
    /// A digest of all inputs of the page, except its Markdown and the highlighting of its code.
    let frame: [UInt8]
    /// See ``Page/key``.
    private let source: [UInt8]
    private let needed: Set<CodeTool>

    /// - Parameters:
    ///   - urls: the resolved URLs of the page's references.
    ///   - look: a digest of the templates and of the values that all pages have.
    init(
        _ page: Page,
        urls: [String],
        _ template: String,
        _ values: TemplateValues,
        titleLevel: Int?,
        look: [UInt8],
        _ configuration: SiteConfiguration,
        _ identity: BuildIdentity
    ) {
        self.urls = urls
        self.template = template
        self.values = values
        self.titleLevel = titleLevel
        showsContents = page.frontMatter.showsContents
        path = page.outputPath
        needed = CodeTool.needed(by: page.document, configuration)
        var parts = OutputKey(identity)
        parts.add(configuration.highlights)
        parts.add(look)
        parts.add(template)
        // Content and list of contents depend on the page's text and on these two.
        parts.add(titleLevel ?? 0)
        parts.add(showsContents)
        values.add(to: &parts)
        parts.add(urls.count)
        for url in urls { parts.add(url) }
        source = page.key
        frame = parts.digest
    }

    /// A digest of all inputs of the page; `nil` if they are not known.
    ///
    /// - Parameter tools: those that are known: if one is missing, the next build may have it.
    func key(tools: ToolIdentities) -> [UInt8]? { Self.key(frame, source, needed, tools) }

    static func key(
        _ frame: [UInt8],
        _ source: [UInt8],
        _ needed: Set<CodeTool>,
        _ tools: ToolIdentities
    ) -> [UInt8]? {
        tools.text(of: needed).map { Digest.sha256(frame + source + Array($0.utf8)) }
    }
}
