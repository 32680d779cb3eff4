import Diagnostics

/// Pages that nobody finds who does not know their address.
enum OrphanPages {
    /// - Parameter linked: the URLs of pages to which another page links.
    static func diagnostics(in tree: NavigationTree, linked: Set<String>) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        func look(at entry: NavigationTree.Entry) {
            if let page = entry.page, entry.url != "/", !linked.contains(entry.url),
                !entry.isListed(for: entry.audience)
            {
                let message = "no navigation and no link leads to this page"
                diagnostics.append(
                    Diagnostic(.orphanPage, message, at: Place(page.file.displayPath))
                )
            }
            entry.children.forEach(look)
        }
        look(at: tree.root)
        return diagnostics
    }
}
