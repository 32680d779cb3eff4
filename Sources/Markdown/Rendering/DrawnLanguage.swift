/// A language whose code readers see as a formula or as a diagram.
public enum DrawnLanguage: String, Sendable, CaseIterable {
    /// TeX.
    case math
    /// Of Graphviz.
    case dot
    case plantuml
    case mermaid

    /// The prefix of the languages of drawings in ``RenderedDocument/codeBlocks``.
    ///
    /// No language that an author names has it.
    private static let prefix = "drawn:"

    /// The drawing that a block of ``RenderedDocument/codeBlocks`` is; `nil` for code.
    public init?(codeBlock language: String) {
        guard language.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(language.dropFirst(Self.prefix.count)))
    }

    /// The language of its blocks in ``RenderedDocument/codeBlocks``.
    public var codeBlock: String { Self.prefix + rawValue }

    /// - Parameter name: of a language, as ``CodeLanguage`` reads it.
    init?(_ name: String, _ options: MarkdownOptions) {
        switch name.lowercased() {
        case "math" where options.formulas: self = .math
        case "dot" where options.diagrams, "graphviz" where options.diagrams: self = .dot
        case "plantuml" where options.diagrams, "puml" where options.diagrams: self = .plantuml
        case "mermaid" where options.diagrams: self = .mermaid
        default: return nil
        }
    }
}
