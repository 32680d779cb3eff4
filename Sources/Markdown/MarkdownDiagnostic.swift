/// Something in a document that its author may not have meant, and where.
public struct MarkdownDiagnostic: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// HTML that was left out.
        case rawHTML(HTMLOmission)
        /// An image without words for those who do not see it.
        case missingAlternativeText
        /// A heading more than one level below the one before it.
        ///
        /// The first one is measured from 1, the level of the page's title.
        case skippedHeadingLevel(from: Int, to: Int)
        /// A heading of level 1 after the first.
        case secondTopHeading
        /// A reference definition that no link uses.
        case unusedDefinition(label: String)
        /// An id `{#id}` that another heading of the document has; this one got a number.
        case duplicateID(String)
        /// An id `{#id}` that only the templates may have; the heading got another.
        case reservedID(String)
        /// A row has more cells than the header of its table, and the rest is left out.
        case extraCells(header: Int, row: Int)
    }

    public let kind: Kind
    public let range: SourceRange

    public init(_ kind: Kind, at range: SourceRange) {
        self.kind = kind
        self.range = range
    }
}
