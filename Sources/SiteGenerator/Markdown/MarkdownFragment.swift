import CommonMark

/// One document outside any site, as `sitegen markdown` renders it.
public enum MarkdownFragment {
    public struct Options: Sendable {
        /// Nothing beyond the CommonMark specification.
        public var commonMarkOnly = false
        /// Raw HTML and every URL go through.
        public var unsafe = false
        public var smartPunctuation = false

        public init() {}
    }

    public static func html(_ markdown: [UInt8], _ options: Options) -> [UInt8] {
        let document = Document(markdown, smart: options.smartPunctuation)
        let rendered = HTMLRenderer.render(
            document,
            .init(headingIDs: !options.commonMarkOnly, rawHTML: options.unsafe)
        )
        let urls = rendered.references.map { reference in
            let url = reference.destination
            return !options.unsafe && HTMLText.isDangerous(url) ? "" : HTMLText.escapeURL(url)
        }
        return rendered.filled(with: urls)
    }
}
