import Diagnostics
import Rules
import SourceFolder

/// Finds unlisted pages to which no other page links.
enum OrphanPages {
    /// - Parameter linked: the URLs to which other pages link.
    static func diagnostics(in site: Site, linked: Set<String>) -> [Diagnostic] {
        // All listed pages are in the navigation.
        let orphans = site.pages.filter { page in
            page.frontMatter.isUnlisted && page.url != "/" && !linked.contains(page.url)
        }
        return orphans.map { page in
            let message = "this page is unlisted, and no link points to it"
            return Diagnostic(.orphanPage, message, at: SourceLocation(page.file.displayPath))
        }
    }
}
