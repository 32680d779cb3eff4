/// A tag in Markdown, or part of one, that does not do what its author expected.
public struct HTMLOmission: Sendable, Hashable {
    public enum Reason: Int, Sendable {
        /// `raw_html = "safe"` lets it through.
        case needsSafe
        /// `raw_html = true` lets it through.
        case needsTrust
        /// It cannot stand where it stands.
        case misplaced
        /// No element has this name; the tag is shown as text.
        ///
        /// The attributes are its other words, if it has no values.
        case unknown
        /// Too many elements are open.
        case tooDeep
        /// Another element has this id.
        case repeatedID
        /// A comment that is not closed; it hides the text behind it.
        case unclosed
        /// An element has the name, but its attributes are words: `<path to file>`, `<p name>`.
        ///
        /// It is shown as it was written.
        case placeholder
        /// `<?php … ?>`, `<![CDATA[…]]>`, `<!X …>`: browsers take it for a comment.
        case declaration
        /// Not even `raw_html = true` makes it work: see ``KnownElement/isBlocked(_:)``.
        case needsPolicy
        /// It was written, and browsers block it.
        case blocked
    }

    /// In lower case, `!--` for a comment; how a declaration begins, such as `?php`.
    public let element: String
    /// In lower case; empty where the whole tag is meant.
    ///
    /// Of a repeated id, the id.
    public let attributes: [String]
    public let reason: Reason

    package init(_ reason: Reason, _ element: String, attributes: [String] = []) {
        self.reason = reason
        self.element = Self.shortened(element)
        self.attributes = attributes.prefix(4).map(Self.shortened)
    }

    /// Authors write the names, which may be as long as a page.
    private static func shortened(_ name: String) -> String {
        name.utf8.count > 64 ? name.prefix(32) + "…" : name
    }
}

extension HTMLOmission {
    /// The author's own words; names have no spaces, so they have spaces between them.
    public var words: String { ([element] + attributes).joined(separator: " ") }
}
