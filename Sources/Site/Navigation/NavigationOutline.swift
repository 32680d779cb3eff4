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
        let path: String?
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

    init(_ name: String) { self.name = name }

    /// - Parameter path: relative to the source folder; `nil` for a heading.
    /// - Returns: the index of the item; that of the first one, if two have the same path.
    mutating func add(
        _ label: String?,
        path: String?,
        parent: Int?,
        at location: SourceLocation
    ) -> Int {
        let path = path?.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        if let known = path.flatMap({ indices[$0] }) { return known }
        var parent = parent
        if let above = parent, items[above].depth >= Self.maximumDepth {
            parent = items[above].parent
        }
        let depth = 1 + (parent.map { items[$0].depth } ?? 0)
        let label = label?.isEmpty == false ? label : nil
        items.append(
            Item(label: label, path: path, parent: parent, depth: depth, location: location)
        )
        if let path { indices[path] = items.count - 1 }
        return items.count - 1
    }

    /// The index of a page's item.
    ///
    /// A link may also name the page by its URL, or by the `id` in its front matter.
    func item(of page: Page) -> Int? {
        let path = page.file.path
        let folder = path[
            ..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)
        ]
        return indices[path] ?? page.frontMatter.id.flatMap { indices[folder + $0] }
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
        var url = page.url
        while url != "/" {
            url = SitePathName.parent(of: url)
            if url != "/", item(ofURL: url) != nil { return false }
        }
        return page.url != "/"
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
