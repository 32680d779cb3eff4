import Diagnostics
import Markdown

/// Constructs of other tools, each kind told once for the whole site: a book that moves here has
/// thousands, and one line says what to do about them.
enum ForeignConstructs {
    private struct Uses {
        var first: Place
        var count = 0
        var pages: Set<String> = []

        mutating func add(_ place: Place, count: Int) {
            if (place.path, place.line, place.column) < (first.path, first.line, first.column) {
                first = place
            }
            self.count += count
            pages.insert(place.path)
        }
    }

    static func diagnostics(
        in pages: [Page],
        _ links: [(construct: ForeignConstruct, place: Place)]
    ) -> [Diagnostic] {
        var uses: [ForeignConstruct: Uses] = [:]
        for page in pages {
            for use in page.document.foreignUses {
                let place = page.place(use.line, use.column)
                uses[use.construct, default: Uses(first: place)].add(place, count: use.count)
            }
        }
        for (construct, place) in links {
            uses[construct, default: Uses(first: place)].add(place, count: 1)
        }
        return uses.map { construct, uses in
            let times = uses.count == 1 ? "once" : "\(uses.count) times"
            let count = uses.pages.count
            let extent = count == 1 ? "" : " in \(count) pages"
            let message =
                "\(construct.name) is not understood and stays as it is; \(times)\(extent)"
            return Diagnostic(.unknownConstruct, message, at: uses.first)
        }
    }
}

extension ForeignConstruct {
    /// What it looks like, and whose it is.
    fileprivate var name: String {
        switch self {
        case .bookDirective: "'{{#…}}' of mdBook"
        case .ruleMarker: "'r[…]' of the Rust project's books"
        case .ruleLink: "a link to an 'r[…]' of the Rust project's books"
        case .programPath: "a link to a program's '…::…'"
        case .shortcode: "the shortcode '{{< … >}}' of Hugo"
        case .templateTag: "'{% … %}' of Jekyll, Liquid and Jinja"
        case .attributeList: "'{: … }' of kramdown and Python-Markdown"
        case .admonition: "'!!! …' of MkDocs"
        case .contentTab: "'=== \"…\"' of MkDocs"
        case .snippet: "'--8<--' of PyMdown"
        case .objectDirective: "'::: module.name' of mkdocstrings"
        case .container: "':::name' of Docusaurus, VuePress and Microsoft Learn"
        case .module: "'import' of MDX"
        case .component: "'<Name …>' of MDX and Vue"
        case .embed: "'![[…]]' of Obsidian"
        case .label: "'(name)=' of MyST"
        case .directive: "'```{name}' of MyST and Quarto"
        case .learnDirective: "'[!INCLUDE …]' of Microsoft Learn"
        case .alert: "an alert '[!…]' that GitHub does not have"
        case .includeInCode:
            "a code block's '{{#include …}}', '[!code-…]' or '--8<--', whose code is missing,"
        case .definitionList: "a definition ': …' below its term"
        case .imageSize: "an image's size '=100x50' of markdown-it and Azure DevOps"
        case .crossReference: "a link to 'xref:…' of DocFX and Microsoft Learn"
        }
    }
}
