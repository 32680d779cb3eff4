import MarkdownWriting

/// Where a link of the other system leads.
enum LinkTarget: Equatable {
    case page(Int, fragment: String)
    /// A file below the source folder of the new site.
    case file(String)
    case elsewhere(String)
    case missing(String)
    /// A page that is left out, and that some readers must not know.
    case hidden

    static func hasScheme(_ address: String) -> Bool {
        address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
    }

    /// Whether the address is of a kind that runs no program.
    static func isElsewhere(_ address: String) -> Bool {
        ["http:", "https:", "mailto:", "tel:"].contains { address.lowercased().hasPrefix($0) }
    }
}

/// What all pages of an import have in common.
final class Conversion {
    let layout: SiteLayout
    /// Uses of what has no counterpart here.
    private(set) var uses: [String: Int] = [:]
    /// Names of places to which a link leads.
    var wantedAnchors: Set<String> = []
    /// Where the address of a link in a page leads.
    let resolve: (_ address: String, _ page: Int) -> LinkTarget

    init(_ layout: SiteLayout, resolve: @escaping (String, Int) -> LinkTarget) {
        self.layout = layout
        self.resolve = resolve
    }

    func note(_ use: String) { uses[use.words, default: 0] += 1 }

    func forgetUses() { uses = [:] }
}

/// One page on its way to Markdown.
final class PageConversion: MarkdownPage {
    let dialect = MarkdownDialect.sitegen
    let conversion: Conversion
    let index: Int
    /// Whether the other system listed the pages below this one here.
    var isListing = false

    init(_ conversion: Conversion, _ index: Int) {
        self.conversion = conversion
        self.index = index
    }

    private var layout: SiteLayout { conversion.layout }

    func note(_ use: String) { conversion.note(use) }

    func isWanted(_ anchor: String) -> Bool {
        !anchor.isEmpty && conversion.wantedAnchors.contains(anchor)
    }

    /// A link in Markdown.
    ///
    /// - Parameter text: Markdown; empty for the title of the page or the address.
    func link(_ address: String, text: String) -> String {
        link(conversion.resolve(address, index), text: text)
    }

    func link(_ target: LinkTarget, text: String) -> String {
        switch target {
        case .page(let page, _) where text.isEmpty && layout.isRestricted(page, beyond: index):
            return link(.hidden, text: text)
        case .page(let page, let fragment):
            var destination = path(to: layout.files[page])
            if !fragment.isEmpty {
                conversion.wantedAnchors.insert(fragment)
                destination += "#" + MarkdownText.anchor(fragment)
                if page == index { destination = "#" + MarkdownText.anchor(fragment) }
            }
            let title = MarkdownText.escaped(layout.site.pages[page].title)
            return "[\(text.isEmpty ? title : text)](\(destination))"
        case .file(let file):
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let label = text.isEmpty ? MarkdownText.escaped(name) : text
            return "[\(label)](\(path(to: file)))"
        case .elsewhere(let address):
            let label = text.isEmpty ? MarkdownText.escaped(address) : text
            return "[\(label)](\(MarkdownText.destination(address)))"
        case .missing(let address):
            note("link that leads to nothing in the export")
            let label = text.isEmpty ? MarkdownText.escaped(address) : text
            return "\(label)\(MarkdownText.comment("link to \(address)"))"
        case .hidden:
            // No link: the address is made of the title.
            note("link to a restricted page, now text")
            return text.isEmpty ? "a page for some readers" : text
        }
    }

    func path(to file: String) -> String {
        MarkdownText.destination(SiteLayout.path(from: layout.files[index], to: file))
    }

    func image(_ piece: Markup) -> String {
        let address = piece["src"]
        let alternative = MarkdownText.escaped(piece["alt"].words)
        switch conversion.resolve(address, index) {
        case .file(let file):
            let width = Int(
                piece["width"].hasSuffix("px") ? String(piece["width"].dropLast(2)) : piece["width"]
            )
            let size = width.map { (1...4000).contains($0) ? "{width=\($0)}" : "" } ?? ""
            return "![\(alternative)](\(path(to: file)))\(size)"
        case .elsewhere(let address) where address.hasPrefix("http"):
            note("image of another site, now a link")
            let label = alternative.isEmpty ? MarkdownText.escaped(address) : alternative
            return "[\(label)](\(MarkdownText.destination(address)))"
        default:
            note("image that is not in the export")
            let name = address.hasPrefix("data:") ? "data" : address
            let label = alternative.isEmpty ? "image" : alternative
            return "\(label)\(MarkdownText.comment("image \(name)"))"
        }
    }

    /// The page with its front matter.
    func file(_ text: String) -> String {
        let page = layout.site.pages[index]
        var lines = ["---", "title: \(MarkdownText.quoted(String(page.title.prefix(240))))"]
        func list(_ key: String, _ values: [String]) {
            if values.isEmpty { return }
            let texts = values.map(MarkdownText.quoted).joined(separator: ", ")
            lines.append("\(key): [\(texts)]")
        }
        if index != layout.site.home { lines.append("order: \(layout.orders[index])") }
        if let group = layout.access[index] { lines.append("access: [\(group)]") }
        list("tags", page.tags.filter { !$0.isEmpty && $0.utf8.count <= 100 })
        list("aliases", layout.aliases[index])
        if !page.changed.isEmpty { lines.append("lastmod: \(page.changed)") }
        if isListing || page.isListing { lines.append("listing: true") }
        return (lines + ["---", "", text, ""]).joined(separator: "\n")
    }
}
