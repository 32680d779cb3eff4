import HTML

/// A probable mistake in a document, and its range.
public struct MarkdownDiagnostic: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// HTML that was left out.
        case rawHTML(HTMLOmission)
        /// An image without alternative text.
        case missingAlternativeText
        /// A heading more than one level below the one before it.
        ///
        /// The first heading is compared with level 1, that of the page's title.
        case skippedHeadingLevel(from: Int, to: Int)
        /// A heading of level 1 after the first.
        case secondTopHeading
        /// A reference definition that no link uses.
        case unusedDefinition(label: String)
        /// An id `{#id}` that another heading of the document has; this heading got a number.
        case duplicateID(String)
        /// An id `{#id}` that is reserved for templates; the heading got another one.
        case reservedID(String)
        /// A row with more cells than the header of its table; the other cells are left out.
        case extraCells(header: Int, row: Int)
        /// A mark that stays text, because the space beside it is none to Markdown.
        ///
        /// - Parameter space: its code point; 0 where there is none.
        case literalMark(String, space: Int)
        /// A mark that stays text, because it stands in a block of HTML.
        case markInHTML(String)
        /// A line by which git marks a conflict of a merge.
        case conflictMarks(String)
    }

    public let kind: Kind
    public let range: SourceRange

    public init(_ kind: Kind, at range: SourceRange) {
        self.kind = kind
        self.range = range
    }
}
