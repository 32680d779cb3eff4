/// What a document may contain and how it is rendered.
public struct MarkdownOptions: Sendable {
    /// Nothing beyond the CommonMark specification: no extension, no ids on headings.
    public var commonMarkOnly = false
    /// Whether HTML in Markdown goes through.
    public var rawHTML = false
    /// Whether the addresses in that HTML are references, as those of links are; otherwise it stays
    /// as it was written.
    public var rawHTMLReferences = false
    /// Whether straight quotes, `--` and `...` become typographic ones.
    public var smartPunctuation = false
    /// Whether `[[Page]]` and `[[Page|label]]` are links to pages by their names.
    public var wikiLinks = false
    /// Whether headings get links to themselves, and code and tables a box around them: for themes,
    /// which cannot put them there without a script.
    public var themed = false
    /// The deepest level of headings in tables of contents.
    public var contentsDepth = 3

    public init() {}

    /// Whether libcmark makes quotes typographic.
    ///
    /// Otherwise our own inlines do: libcmark looks for the start of each quotation behind all `*`
    /// that stand between, which takes minutes for 100,000 of either.
    var isSmartInCommonMark: Bool { commonMarkOnly && smartPunctuation }
}
