import HTML

/// What a document may contain and how it is rendered.
public struct MarkdownOptions: Sendable {
    /// How HTML in Markdown is rendered.
    public enum RawHTML: Sendable {
        /// Tags are left out and their words stay.
        case omitted
        /// Harmless elements are written anew: they neither run anything nor break the page around
        /// them. Of all others the text stays.
        case safe
        /// HTML is written unchanged, except that its addresses are resolved as links are.
        case trusted
        /// HTML is written unchanged.
        case verbatim
    }

    /// Whether only CommonMark is rendered: no extensions, no ids on headings.
    ///
    /// Harmless HTML is omitted, too.
    public var commonMarkOnly = false
    public var rawHTML = RawHTML.safe
    /// Whether straight quotes, `--` and `...` become typographic ones.
    public var smartPunctuation = false
    /// Whether `[[Page]]` and `[[Page|label]]` are links to pages by their names.
    public var wikiLinks = false
    /// Whether text between dollar signs, and code of the language `math`, is a formula.
    public var formulas = false
    /// Whether code of the languages in ``DrawnLanguage`` is a diagram.
    public var diagrams = false
    /// Whether blocks, marks and keys in the syntax of other tools are understood.
    public var borrowedBlocks = false
    /// Whether headings get links to themselves, and code and tables a box around them: for themes,
    /// which cannot put them there without a script.
    public var themed = false
    /// Whether ``RenderedDocument/opening`` is wanted.
    public var opening = false
    /// The deepest level of headings in tables of contents.
    public var contentsDepth = 3

    /// What the renderer itself says, by its English words; see ``ownTexts``.
    ///
    /// A list of pairs, so that options with the same texts have the same description.
    public var texts: [Text] = []

    public struct Text: Sendable {
        public let english: String
        public let text: String

        public init(english: String, text: String) {
            self.english = english
            self.text = text
        }
    }

    /// One of ``ownTexts`` as HTML, which may stand in an attribute, too.
    func html(_ english: String) -> String {
        HTMLText.escape(texts.first { $0.english == english }?.text ?? english)
    }

    public init() {}
}
