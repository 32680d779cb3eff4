import Diagnostics

/// Pages that nobody finds who does not know their address.
enum OrphanPages {
    /// - Parameter linked: the URLs of pages to which another page links.
    static func diagnostics(in site: Site, linked: Set<String>) -> [Diagnostic] {
        // Every other page is in its folder's navigation.
        let orphans = site.pages.filter { page in
            page.frontMatter.isUnlisted && page.url != "/" && !linked.contains(page.url)
        }
        return orphans.map { page in
            let message = "this page is unlisted, and no link points to it"
            return Diagnostic(.orphanPage, message, at: SourceLocation(page.file.displayPath))
        }
    }
}
