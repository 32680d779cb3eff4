import Diagnostics
import MarkdownWriting
import POSIX

/// A space that Confluence exported as HTML: `index.html` with the tree of pages, and a file for
/// each page.
struct ConfluenceHTMLExport {
    private let source: OpenFolder
    private(set) var space: ConfluenceSpace
    private var seen: Set<String> = []
    /// Addresses of files that pages show or link.
    private var shown: Set<String> = []

    /// Whether an `index.html` is that of a space.
    static func isIndex(_ html: [UInt8]) -> Bool {
        let tree = MarkupReader.tree(html, isXML: false)
        return tree.first { $0.classes.contains("pageSectionTitle") } != nil
            && tree.first { $0["id"] == "main-content" } != nil
    }

    init(_ source: OpenFolder) throws {
        self.source = source
        let index = MarkupReader.tree(try source.read("index.html"), isXML: false)
        var facts: [String: String] = [:]
        let table = index.first { $0["id"] == "main-content" }?.first { $0.name == "table" }
        table?.forEach("tr") { row in
            let cells = row.children.filter { ["th", "td"].contains($0.name) }
            if cells.count == 2 { facts[cells[0].words.lowercased()] = cells[1].words }
        }
        // The words are those of the exporter's language: key and name are the first two rows.
        var values: [String] = []
        table?.forEach("td") { values.append($0.words) }
        let name =
            facts["name"] ?? values.dropFirst().first ?? index.first { $0.name == "title" }?.words
        space = ConfluenceSpace(title: name ?? "Confluence")
        space.key = facts["key"] ?? values.first ?? ""
        var lists: [Markup] = []
        index.forEach("ul") { lists.append($0) }
        // A list within another one belongs to a page, and has been read with it then.
        for list in lists { try add(list, below: nil) }
        for entry in try source.entries() where entry.kind == .file {
            guard entry.name.hasSuffix(".html"), entry.name != "index.html" else { continue }
            try add(entry.name, title: nil, below: nil, isHome: false)
        }
        addFiles()
        space.site.warnings.append(
            "an export in HTML does not say who may read which page: give restricted pages an"
                + " 'access' before you publish, or export the space as XML"
        )
    }

    private mutating func add(_ list: Markup, below parent: Int?) throws {
        for item in list.children("li") {
            guard let link = item.child("a"), link["href"].hasSuffix(".html") else { continue }
            let isHome = item.child("img")?["src"].contains("home_page") == true
            let file = link["href"].percentDecoded
            let number = space.site.pages.count
            try add(file, title: link.words, below: parent, isHome: isHome)
            let isAdded = space.site.pages.count > number
            for list in item.children("ul") { try add(list, below: isAdded ? number : parent) }
        }
    }

    private mutating func add(
        _ file: String,
        title: String?,
        below parent: Int?,
        isHome: Bool
    ) throws {
        guard !file.contains("/"), seen.insert(file).inserted,
            let html = try? source.read(file)
        else { return }
        let tree = MarkupReader.tree(html, isXML: false)
        guard let content = tree.first(where: { $0["id"] == "main-content" }) else { return }
        content.forEach("img") { shown.formUnion([$0["src"], $0["data-image-src"]]) }
        content.forEach("a") { shown.insert($0["href"]) }
        let heading = tree.first { $0["id"] == "title-text" }?.words ?? file
        let prefix = "\(space.site.title) : "
        let own = heading.hasPrefix(prefix) ? String(heading.dropFirst(prefix.count)) : heading
        var page = ImportedPage(title: title ?? own)
        page.parent = parent
        page.aliases = ["/\(file)"]
        let id = file.dropLast(5).reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
        tree.forEach("li") { item in
            if item.classes.contains("aui-label"), !item.words.isEmpty {
                page.tags.append(item.words)
            }
        }
        var names: Set<String> = []
        tree.forEach("div") { box in
            guard box.classes.contains("greybox") else { return }
            box.forEach("a") { link in
                let path = link["href"].percentDecoded
                guard path.hasPrefix("attachments/"), names.insert(path).inserted else { return }
                page.attachments.append(Attachment(name: link.words, path: path))
            }
        }
        if isHome, space.site.home == nil { space.site.home = space.site.pages.count }
        space.add(page, id: String(id), file: file, .html(file))
    }

    /// Adds the files that pages show, and that the list of the page that has them lacks.
    private mutating func addFiles() {
        for file in space.site.pages.flatMap(\.attachments) {
            space.filesByID[ConfluenceSpace.fileID(file.path)] = file.path
        }
        for address in shown.sorted() {
            let parts = address.split(separator: "/").filter { $0 != "thumbnails" }
            let id = ConfluenceSpace.fileID(address)
            guard parts.count == 3, parts[0] == "attachments", space.filesByID[id] == nil,
                let owner = space.pagesByID[String(parts[1])]
            else { continue }
            let folder = "attachments/\(parts[1])"
            let file = (try? source.entries(of: folder))?.first { entry in
                entry.kind == .file && ConfluenceSpace.fileID(entry.name) == id
            }
            guard let file else { continue }
            let path = "\(folder)/\(file.name)"
            space.filesByID[id] = path
            space.site.pages[owner].attachments.append(Attachment(name: file.name, path: path))
        }
    }
}
