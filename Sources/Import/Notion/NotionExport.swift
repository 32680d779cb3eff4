import Diagnostics
import MarkdownWriting
import POSIX

/// Pages that Notion exported as Markdown and CSV.
///
/// A file is called `Title 0123456789abcdef0123456789abcdef.md`; the pages below it are in a folder
/// of the same name, with or without the id. A database is a CSV file, and a page for each row.
struct NotionExport {
    private static let maximumDepth = 40

    /// A page or a database.
    private struct Node {
        let path: String
        let name: NotionName
        var parent: Int?
        var attachments: [Attachment] = []
    }

    private let source: OpenFolder
    private(set) var site = ImportedSite(title: "Notion", pages: [])
    /// The file of each page.
    private(set) var paths: [String] = []
    private(set) var pagesByPath: [String: Int] = [:]
    private(set) var pagesByID: [String: Int] = [:]
    private var nodes: [Node] = []
    /// All pages and files.
    private var known: Set<String> = []

    init(_ source: OpenFolder) throws {
        self.source = source
        try list("", owner: nil, depth: 0)
        guard !nodes.isEmpty else {
            throw CommandError("the folder has no page of Notion; unzip the archives in it first")
        }
        try arrange()
        site.warnings.append(
            "an export of Notion does not say who may read which page: give restricted pages an"
                + " 'access' before you publish"
        )
    }

    private mutating func list(_ folder: String, owner: Int?, depth: Int) throws {
        guard depth < Self.maximumDepth else { return }
        let entries = try source.entries(of: folder)
        let prefix = folder.isEmpty ? "" : folder + "/"
        let names = Set(entries.map(\.name))
        var owners: [String: Int] = [:]
        for entry in entries where entry.kind == .file {
            let name = NotionName(entry.name)
            let isPage = entry.name.hasSuffix(".md")
            // The database with all its columns and rows stands for the view of it.
            let isView = names.contains("\(entry.name.dropLast(4))_all.csv")
            guard isPage || entry.name.hasSuffix(".csv") && !isView else { continue }
            owners[name.stem] = nodes.count
            if owners[name.title] == nil || isPage { owners[name.title] = nodes.count }
            nodes.append(Node(path: prefix + entry.name, name: name, parent: owner))
            known.insert(prefix + entry.name)
        }
        for entry in entries {
            switch entry.kind {
            case .folder:
                let name = NotionName(entry.name + ".md")
                let below = owners[name.stem] ?? owners[name.title] ?? owner
                try list(prefix + entry.name, owner: below, depth: depth + 1)
            case .file:
                let isText = entry.name.hasSuffix(".md") || entry.name.hasSuffix(".csv")
                guard !isText, let owner, entry.name != "index.html" else { continue }
                nodes[owner].attachments.append(
                    Attachment(name: entry.name, path: prefix + entry.name)
                )
                known.insert(prefix + entry.name)
            default:
                site.warnings.append("'\(prefix)\(entry.name)' is no file; it is left out")
            }
        }
    }

    /// Brings the pages into the order in which the page above links them.
    private mutating func arrange() throws {
        var children: [Int: [Int]] = [:]
        for index in nodes.indices {
            children[nodes[index].parent ?? -1, default: []].append(index)
        }
        var waiting = [(node: -1, page: nil as Int?)]
        while let (node, parent) = waiting.popLast() {
            var order: [String: Int] = [:]
            if node >= 0 {
                let text = try text(of: nodes[node].path)
                var page = ImportedPage(title: text?.title ?? nodes[node].name.title)
                page.parent = parent
                page.attachments = nodes[node].attachments
                page.aliases = nodes[node].name.aliases
                page.tags = text?.tags ?? []
                pagesByPath[nodes[node].path] = site.pages.count
                pagesByID[nodes[node].name.id] = site.pages.count
                paths.append(nodes[node].path)
                site.pages.append(page)
                for piece in text?.pieces ?? [] {
                    piece.forEach("a") { link in
                        guard let path = Self.path(link["href"], from: nodes[node].path) else {
                            return
                        }
                        order[path] = order[path] ?? order.count
                    }
                }
            }
            let index = node < 0 ? nil : site.pages.count - 1
            let sorted = children[node, default: []].sorted { left, right in
                let first = order[nodes[left].path] ?? .max
                let second = order[nodes[right].path] ?? .max
                return first == second ? nodes[left].path < nodes[right].path : first < second
            }
            waiting += sorted.reversed().map { ($0, index) }
        }
        let top = site.pages.indices.filter { site.pages[$0].parent == nil }
        if top.count == 1 {
            site.home = top[0]
            site.title = site.pages[top[0]].title
        }
    }

    /// What a page says; `nil` for a database.
    private func text(of path: String) throws -> NotionText? {
        if path.hasSuffix(".csv") { return nil }
        let bytes = try source.read(path, maximumBytes: 64 << 20)
        return try NotionText(bytes, fallback: NotionName(path.lastName).title) { address in
            isKnown(address, from: path)
        }
    }

    private func isKnown(_ address: String, from page: String) -> Bool {
        Self.path(address, from: page).map(known.contains) == true
    }

    /// The Markdown of a page.
    func markdown(_ page: PageConversion) throws -> String {
        let text = try text(of: paths[page.index])
        let pieces = try text?.pieces ?? [database(source.read(paths[page.index]), page)]
        return MarkdownWriter(page: page).text(pieces)
    }

    /// A table with a link from each row to its page.
    private func database(_ bytes: [UInt8], _ page: PageConversion) -> Markup {
        var rowPages: [String: Int] = [:]
        for (index, row) in site.pages.enumerated() where row.parent == page.index {
            if rowPages[row.title] == nil { rowPages[row.title] = index }
        }
        let path = paths[page.index]
        let rows = CommaSeparatedValues.rows(bytes).enumerated().map { number, values in
            Markup.element(
                "tr",
                [:],
                values.enumerated().map { column, value in
                    if number == 0 { return .element("th", [:], [.text(value)]) }
                    let row = column == 0 ? rowPages[value.words] : nil
                    let parts =
                        row.map { [(text: value, address: paths[$0])] }
                        ?? NotionText.links(in: value) { isKnown($0, from: path) }
                    let links = parts.map { text, address in
                        Markup.element(
                            address.isEmpty ? "span" : "a",
                            ["href": address],
                            [.text(text)]
                        )
                    }
                    let content = links.map { [$0] }.joined(separator: [Markup.text(", ")])
                    return .element("td", [:], Array(content))
                }
            )
        }
        return .element("table", [:], rows)
    }

    func target(of address: String, on page: Int, _ layout: SiteLayout) -> LinkTarget {
        if let index = pagesByPath[address] { return .page(index, fragment: "") }
        if address.hasPrefix("#") { return .page(page, fragment: String(address.dropFirst())) }
        if LinkTarget.isElsewhere(address) {
            let isOurs = ["notion.so/", "notion.site/"].contains(where: address.contains)
            let id = address.prefix { $0 != "?" && $0 != "#" }.suffix(32)
            let index = isOurs ? pagesByID[String(id)] : nil
            return index.map { .page($0, fragment: "") } ?? .elsewhere(address)
        }
        guard let file = Self.path(address, from: paths[page]) else { return .missing(address) }
        // A view of a database stands for the whole.
        if let index = pagesByPath[file] ?? pagesByPath["\(file.dropLast(4))_all.csv"] {
            return .page(index, fragment: "")
        }
        return layout.filesByPath[file].map(LinkTarget.file) ?? .missing(address)
    }

    /// The file that a relative address in a page names; `nil` outside the export.
    private static func path(_ address: String, from page: String) -> String? {
        if LinkTarget.hasScheme(address) { return nil }
        var parts = page.split(separator: "/").dropLast().map(String.init)
        let path = address.prefix { $0 != "#" && $0 != "?" }.percentDecoded
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }
}

extension String {
    /// The last part of a path.
    fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
