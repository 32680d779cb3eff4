import Diagnostics
import Markdown
import Rules

/// Reports syntax of other tools that sitegen does not support.
enum ForeignConstructs {
    /// One finding for each occurrence; the subject is the construct.
    static func diagnostics(
        in pages: [Page],
        _ links: [(construct: ForeignConstruct, location: SourceLocation)]
    ) -> [Diagnostic] {
        var diagnostics = links.map { diagnostic($0.construct, $0.location) }
        for page in pages {
            for use in page.document.foreignUses {
                diagnostics += use.occurrences.map {
                    diagnostic(use.construct, page.location($0))
                }
            }
        }
        return diagnostics
    }

    private static func diagnostic(
        _ construct: ForeignConstruct,
        _ location: SourceLocation
    ) -> Diagnostic {
        Diagnostic(
            .unknownConstruct,
            construct.message,
            at: location,
            subject: construct.rawValue
        )
    }
}

extension ForeignConstruct {
    fileprivate var message: String {
        switch self {
        case .comment: "\(name) is not supported, and readers see it as text"
        case .subpages: "\(name) is left out; write 'listing: true' in the front matter"
        case .icon, .module: "\(name) is left out"
        case .componentTag:
            "\(name) means nothing here: the tag is left out with its attributes, and what stands between tags stays"
        case .codeNote:
            "\(name) has no numbered list right below its block, so readers see the mark"
        case .embed: "\(name) shows a page only if it stands alone on its line; readers see a link"
        case .looseStars:
            "\(name) makes nothing bold, and readers see it; mind the spaces beside it"
        case .looseLink:
            "\(name) is no link, and readers see it; write '[…](<two words.md>)' if the address has spaces"
        case .looseReference:
            "\(name) is no link, and readers see it: no line '[name]: address' defines the name"
        default: "\(name) is not supported and stays unchanged"
        }
    }

    /// The construct's syntax, and the tool it belongs to.
    fileprivate var name: String {
        switch self {
        case .ruleMarker: "'r[…]' of the Rust project's books"
        case .ruleLink: "a link to an 'r[…]' of the Rust project's books"
        case .programPath: "a link to a path in a program, '…::…',"
        case .shortcode: "'{{ … }}' of Hugo, mdBook, Jekyll and others"
        case .templateTag: "'{% … %}' of Jekyll, Liquid and Jinja"
        case .attributeList: "'{: … }' or '{#id}' of kramdown, Pandoc and Python-Markdown"
        case .looseStars: "'**'"
        case .looseLink: "'[…](…)'"
        case .looseReference: "'[…][name]'"
        case .citation: "the citation '[@key]' of Pandoc and Quarto"
        case .documentationDirective: "'@Name { … }' of DocC"
        case .admonition: "'!!! …' of MkDocs with nothing indented below it"
        case .contentTab:
            "'=== \"…\"' of MkDocs without quotation marks, or with nothing indented below it"
        case .snippet: "'--8<--' of PyMdown, or '{* … *}' of FastAPI,"
        case .container:
            "':::' with another name than those of blocks, with words behind its title, or without a block"
        case .codeNote: "the note '# (1)!' of Material for MkDocs on a line of code"
        case .subpages: "the list of subpages '[[_TOSP_]]' of Azure DevOps"
        case .icon: "the name of an icon such as ':material-check:'"
        case .module: "'import', 'export' or '<script setup>' of MDX and Vue"
        case .component: "'<Name …>' of MDX and Vue in a text"
        case .componentTag: "'<Name …>' of MDX and Vue, or '::: query-table' of Azure DevOps,"
        case .embed: "'![[…]]' of Obsidian"
        case .label: "'(name)=' of MyST"
        case .directive: "'```{name}' of MyST and Quarto"
        case .alert: "'[!…]' of another kind or form than those of alerts"
        case .definitionList: "': …' below something else than a term"
        case .comment: "a comment of Obsidian, kramdown, MDX, Jinja or Hugo"
        }
    }
}
