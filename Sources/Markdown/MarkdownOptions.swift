/// What a document may contain and how it is rendered.
public struct MarkdownOptions: Sendable {
    /// What becomes of HTML in Markdown.
    public enum RawHTML: Sendable {
        /// Tags are left out and their words stay.
        case omitted
        /// Elements that can neither run anything nor break the page around them are written anew,
        /// and of all others the words.
        case safe
        /// It goes through, and the addresses in it are references, as those of links are.
        case trusted
        /// It goes through byte for byte, addresses included.
        case verbatim
    }

    /// Nothing beyond the CommonMark specification: no extension, no ids on headings.
    ///
    /// Harmless HTML needs places that libcmark does not tell, so it is omitted, too.
    public var commonMarkOnly = false
    public var rawHTML = RawHTML.safe
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
