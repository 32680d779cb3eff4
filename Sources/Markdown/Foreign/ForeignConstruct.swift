/// Syntax of other tools that this one does not support; it stays in the page as it was written,
/// except where a case says that it is left out.
public enum ForeignConstruct: String, Sendable, CaseIterable {
    /// `r[name]` of the Rust project's books.
    case ruleMarker
    /// A link whose destination is the name of such a marker.
    case ruleLink
    /// A link whose destination is a path in a program, `std::fmt`.
    case programPath
    /// `{{< … >}}` of Hugo, `{{#…}}` of mdBook, `{{ name }}` of Jekyll, Liquid and Jinja.
    case shortcode
    /// `{% … %}` of the same.
    case templateTag
    /// `{: … }` of kramdown, `{ .class }` of Python-Markdown, `{#id}` behind no heading.
    case attributeList
    /// `**` that neither begins nor ends bold text.
    case looseStars
    /// `](…)` that is no link, as where the address has spaces.
    case looseLink
    /// `[text][name]` without a definition of the name, as the plug-in autorefs of MkDocs reads it.
    case looseReference
    /// `[@key]` of Pandoc and Quarto.
    case citation
    /// `@Name { … }` of DocC.
    case documentationDirective
    /// `!!! note` of MkDocs.
    case admonition
    /// `=== "Title"` of MkDocs.
    case contentTab
    /// `--8<-- "file"` of PyMdown, `{* file *}` of FastAPI's documentation.
    case snippet
    /// `:::name` of Docusaurus and VuePress, `::: module.name` of mkdocstrings.
    case container
    /// `import` and `export` of MDX and `<script setup>` of Vue, which are left out.
    case module
    /// `<Name …>` of MDX and Vue.
    case component
    /// Such a tag alone on its line, which is left out.
    case componentTag
    /// `![[…]]` of Obsidian.
    case embed
    /// `(name)=` of MyST.
    case label
    /// A fence whose language is in braces, of MyST, R Markdown and Quarto.
    case directive
    /// `[!INCLUDE [title](file)]` of Microsoft Learn, `> [!NAME]` with a name that is not known.
    case alert
    /// A line that begins with `: `, below the term that it defines: PHP Markdown Extra, kramdown,
    /// Pandoc, Hugo.
    case definitionList
    /// `%%…%%` of Obsidian, `{::comment}` of kramdown, `{/* … */}` of MDX, `{# … #}` of Jinja and
    /// `{{/* … */}}` of Hugo.
    case comment
    /// `# (1)!` of Material for MkDocs in code, without a list of what it means.
    case codeNote
    /// `[[_TOSP_]]` of Azure DevOps, which is left out.
    case subpages
    /// `:material-check:` of Material for MkDocs, which is left out.
    case icon
}

/// A kind of construct in one document.
public struct ForeignUse: Sendable, Equatable {
    /// A document may consist of constructs alone, so only so many ranges are kept.
    public static let maximumOccurrences = 10_000

    public let construct: ForeignConstruct
    /// The first ``maximumOccurrences``, without lengths, in the order of the text; never empty.
    public internal(set) var occurrences: [SourceRange]
    /// Including the occurrences beyond ``maximumOccurrences``.
    public internal(set) var count: Int

    /// Of the first occurrence.
    public var line: Int { occurrences.first?.line ?? 1 }
    public var column: Int { occurrences.first?.column ?? 1 }

    init(_ construct: ForeignConstruct, at location: SourceRange) {
        self.construct = construct
        occurrences = [location]
        count = 1
    }
}
