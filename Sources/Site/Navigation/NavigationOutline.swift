import Diagnostics
import Rules
import SourceFolder

/// The list of a site's pages in one file: `SUMMARY.md` of mdBook and GitBook, or `nav` of MkDocs.
///
/// It sets order, labels and levels of the navigation. The file itself is not a page.
package struct NavigationOutline: Sendable {
    /// Items that are nested deeper stay on this level, so that a thousand levels do not open a
    /// thousand lists on each page.
    private static let maximumDepth = 32

    struct Item: Sendable {
        /// `nil` if the link has no text.
        let label: String?
        /// The path of a page's file, or of a page or folder in the site; `nil` for a heading.
        var path: String?
        /// The address of another site.
        var address: String?
        /// A folder whose pages stand here, without the folder itself.
        var folder: String?
        /// The index of the item in which this one is nested.
        let parent: Int?
        let depth: Int
        let location: SourceLocation
    }

    /// How messages call the list.
    let name: String
    private(set) var items: [Item] = []
    private(set) var indices: [String: Int] = [:]
    var diagnostics: [Diagnostic] = []
    /// The folders whose pages stand somewhere.
    private var folders: [String] = []
    private let origin: String?

    /// - Parameter origin: the address of the site.
    init(_ name: String, origin: String?) { (self.name, self.origin) = (name, origin) }

    /// - Parameter path: relative to the source folder; `nil` for a heading.
    /// - Returns: the index of the item; that of the first one, if two have the same path.
    mutating func add(
        _ label: String?,
        path: String?,
        parent: Int?,
        at location: SourceLocation
    ) -> Int {
        let path = path.map(Self.normalized)
        if let known = path.flatMap({ indices[$0] }) { return known }
        let index = add(label, below: parent, location)
        items[index].path = path
        if let path { indices[path] = index }
        return index
    }

    /// Adds a link with a scheme.
    ///
    /// A page of the site is a page also by its whole address: its readers alone see the link.
    mutating func add(
        _ label: String?,
        address: String,
        parent: Int?,
        at location: SourceLocation
    ) -> Int? {
        if let path = OwnAddress.path(of: address, origin: origin) {
            let end = path.firstIndex { "?#".contains($0) } ?? path.endIndex
            let decoded = SitePathName.decode(path[..<end]) ?? path
            return add(label, path: decoded, parent: parent, at: location)
        }
        guard ["https", "http", "mailto"].contains(address.prefix { $0 != ":" }.lowercased()) else {
            report("link to '\(address)' is neither a page nor an address on the web", location)
            return nil
        }
        let index = add(label ?? address, below: parent, location)
        items[index].address = address
        return index
    }

    /// Adds the pages of a folder.
    mutating func add(pagesIn folder: String, parent: Int?, at location: SourceLocation) {
        let folder = Self.normalized(folder)
        items[add(nil, below: parent, location)].folder = folder
        folders.append(folder)
    }

    mutating func report(_ message: String, _ location: SourceLocation) {
        diagnostics.append(Diagnostic(.navigationFile, message, at: location))
    }

    private static func normalized(_ path: String) -> String {
        path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    private mutating func add(_ label: String?, below parent: Int?, _ location: SourceLocation)
        -> Int
    {
        var parent = parent
        if let above = parent, items[above].depth >= Self.maximumDepth {
            parent = items[above].parent
        }
        let depth = 1 + (parent.map { items[$0].depth } ?? 0)
        let label = label?.isEmpty == false ? label : nil
        items.append(Item(label: label, parent: parent, depth: depth, location: location))
        return items.count - 1
    }

    /// The index of a page's item.
    ///
    /// A link may also name the page by its URL, or as Docusaurus does: without an ending, with the
    /// `id` in its front matter, and without the numbers before names.
    func item(of page: Page) -> Int? {
        let path = page.file.path
        if let item = indices[path] { return item }
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[start...].prefix(upTo: path.lastIndex(of: ".") ?? path.endIndex)
        let other = path[..<start] + (page.frontMatter.id ?? String(name))
        return indices[String(other)] ?? indices[Page.unnumbered(String(other))]
            ?? item(ofURL: page.url)
    }

    func item(ofURL url: String) -> Int? { indices[String(url.dropFirst().dropLast())] }

    /// The page, labelled with the text of its link.
    func labelled(_ page: Page) -> Page {
        var page = page
        page.outlineLabel = item(of: page).flatMap { items[$0].label }
        return page
    }

    /// Whether the list leaves out a page that it could name.
    ///
    /// The home page is always there, and a link to a folder names all pages in it.
    func leavesOut(_ page: Page) -> Bool {
        if item(of: page) != nil { return false }
        if folders.contains(where: { Self.holds($0, page) }) { return false }
        var url = page.url
        while url != "/" {
            url = SitePathName.parent(of: url)
            if url != "/", item(ofURL: url) != nil { return false }
        }
        return page.url != "/"
    }

    private static func holds(_ folder: String, _ page: Page) -> Bool {
        folder.isEmpty || page.file.path.hasPrefix("\(folder)/")
    }

    /// The findings: links that point to no page of the site, and pages without a link.
    func diagnostics(for site: Site) -> [Diagnostic] {
        var diagnostics = diagnostics
        let named = Set(site.pagesAndDrafts.compactMap(item))
        for (path, index) in indices where !named.contains(index) {
            if site.hasFolder(at: path.isEmpty ? "/" : "/\(path)/") { continue }
            let message = "link to '\(path)' is dead: there is no such page"
            diagnostics.append(Diagnostic(.deadLink, message, at: items[index].location))
        }
        for item in items {
            guard let folder = item.folder,
                !site.pagesAndDrafts.contains(where: { Self.holds(folder, $0) })
            else { continue }
            let message = "folder '\(folder)' has no pages"
            diagnostics.append(Diagnostic(.deadLink, message, at: item.location))
        }
        guard site.configuration.otherPages == nil, !items.isEmpty else { return diagnostics }
        let note = Diagnostic.Note(
            "'other_pages = \"unpublished\"' in [navigation] of sitegen.toml leaves such pages out;"
                + " \"hidden\" and \"last\" publish them"
        )
        for page in site.pages where leavesOut(page) {
            let message = "\(name) does not name this page, which is published all the same"
            let location = SourceLocation(page.file.displayPath)
            diagnostics.append(
                Diagnostic(.unnamedPage, message, at: location, notes: [note], subject: name)
            )
        }
        return diagnostics
    }
}
