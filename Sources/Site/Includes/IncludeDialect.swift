/// A form in which a text includes a file, one row for each tool's spelling.
///
/// The first one is the one that the handbook teaches.
struct IncludeDialect: Sendable {
    /// How the file is written between the words.
    enum Path: Sendable {
        /// `file.md:region`, up to a space.
        case bare
        /// `file.md#region{1,3}`; of code `{1,3 ts}[title]`, for its block.
        case braced
        /// `file.md!lines=1 3-5`, the settings behind the closing mark.
        case marked
        /// `"file.md:region"`, or lines with a file each down to the same mark.
        case quoted
        /// `[title](file.md#region)`.
        case link
        /// `note#heading|title`.
        case note
    }

    /// What a path is relative to.
    enum Base: Sendable { case file, top }

    /// What begins the form, and the word behind it, in any case.
    let opening: String
    let word: String
    /// What ends the form; the end of the line if it is empty.
    let closing: String
    let path: Path
    /// In the order in which they are tried.
    var bases: [Base] = [.file]
    /// Whether a single number names one line, and not all from there.
    var namesOneLine = true
    /// Whether the form is replaced in blocks of code, too.
    var isForCode = true
    /// Whether nothing else may stand on the line.
    var isAlone = false
    /// Whether links in the included text are relative to the included file, and not to the page.
    var movesLinks = false
    /// The language of the code block that the file becomes; empty if the form names it.
    var fence: String?

    static let all: [IncludeDialect] = [
        // mdBook.
        IncludeDialect(opening: "{{", word: "#include", closing: "}}", path: .bare),
        IncludeDialect(opening: "{{", word: "#rustdoc_include", closing: "}}", path: .bare),
        IncludeDialect(
            opening: "{{",
            word: "#playground",
            closing: "}}",
            path: .bare,
            isForCode: false,
            fence: "rust"
        ),
        // VitePress.
        IncludeDialect(opening: "<!--", word: "@include:", closing: "-->", path: .braced),
        IncludeDialect(
            opening: "<<<",
            word: "",
            closing: "",
            path: .braced,
            isForCode: false,
            isAlone: true,
            fence: ""
        ),
        // markdown-include of Python-Markdown, mdx_include.
        IncludeDialect(
            opening: "{!",
            word: "",
            closing: "!",
            path: .marked,
            bases: [.top, .file]
        ),
        // Quarto.
        IncludeDialect(opening: "{{<", word: "include", closing: ">}}", path: .bare),
        // GitLab.
        IncludeDialect(
            opening: "::include{file=",
            word: "",
            closing: "}",
            path: .bare,
            isAlone: true
        ),
        // PyMdown's snippets, and so MkDocs.
        IncludeDialect(
            opening: "--8<--",
            word: "",
            closing: "",
            path: .quoted,
            bases: [.top, .file],
            namesOneLine: false,
            isAlone: true
        ),
        // DocFX and Microsoft Learn.
        IncludeDialect(
            opening: "[!",
            word: "include",
            closing: "]",
            path: .link,
            isForCode: false,
            movesLinks: true
        ),
        IncludeDialect(
            opening: "[!",
            word: "code",
            closing: "]",
            path: .link,
            isForCode: false,
            isAlone: true,
            fence: ""
        ),
        // Obsidian.
        IncludeDialect(
            opening: "![[",
            word: "",
            closing: "]]",
            path: .note,
            isForCode: false,
            isAlone: true,
            movesLinks: true
        ),
    ]
}
