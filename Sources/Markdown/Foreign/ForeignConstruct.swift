/// What other tools make of Markdown and this one does not: it stays in the page as it was written.
public enum ForeignConstruct: String, Sendable, CaseIterable {
    /// mdBook's `{{#include …}}`.
    case bookDirective
    /// `r[name]` of the Rust project's books.
    case ruleMarker
    /// A link whose destination is the name of such a marker.
    case ruleLink
    /// A link whose destination is a path in a program, `std::fmt`.
    case programPath
    /// `{{< … >}}` and `{{% … %}}` of Hugo.
    case shortcode
    /// `{% … %}` of Jekyll, Liquid and Jinja.
    case templateTag
    /// `{: … }` of kramdown, `{ .class }` of Python-Markdown.
    case attributeList
    /// `!!! note` of MkDocs.
    case admonition
    /// `=== "Title"` of MkDocs.
    case contentTab
    /// `--8<-- "file"` of PyMdown.
    case snippet
    /// `::: module.name` of mkdocstrings.
    case objectDirective
    /// `:::name` of Docusaurus and VuePress.
    case container
    /// `import` and `export` of MDX.
    case module
    /// `<Name …>` of MDX and Vue.
    case component
    /// `![[…]]` of Obsidian.
    case embed
    /// `(name)=` of MyST.
    case label
    /// A fence whose language is in braces, of MyST, R Markdown and Quarto.
    case directive
    /// `[!INCLUDE [title](file)]` of Microsoft Learn.
    case learnDirective
    /// `> [!NAME]` with another name than GitHub's five.
    case alert
}

/// A kind of construct in one document.
public struct ForeignUse: Sendable, Equatable {
    public let construct: ForeignConstruct
    /// Where the first one stands, from 1.
    public internal(set) var line: Int
    /// In bytes, from 1.
    public internal(set) var column: Int
    public internal(set) var count = 1
}
