import Markdown

/// Resolves `[[Page]]` links by the title of a page, or the name of its file or folder.
struct WikiNames: Sendable {
    private var urls: [String: String] = [:]

    /// - Parameter pages: sorted by URL; of two pages with one name, the first is used.
    init(_ pages: [Page]) {
        // Skipped if the site has no such links: collecting the names of thousands of pages takes
        // time.
        let isUsed = pages.contains { page in
            page.document.references.contains { $0.kind == .wikiLink }
        }
        if !isUsed { return }
        for page in pages where urls[Self.key(page.title)] == nil {
            urls[Self.key(page.title)] = page.url
        }
        for page in pages {
            guard let name = page.url.split(separator: "/").last else { continue }
            if urls[Self.key(String(name))] == nil { urls[Self.key(String(name))] = page.url }
        }
    }

    /// The URL for `Page#heading`.
    ///
    /// A name without a page stays as written, and is a dead link.
    func destination(of text: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let anchor = parts.count > 1 ? "#" + HeadingSlugs.slug(String(parts[1])) : ""
        if parts[0].isEmpty { return anchor }
        guard let url = urls[Self.key(String(parts[0]))] else { return text }
        return SitePathName.encode(url) + anchor
    }

    /// In lower case, with words separated by one space.
    private static func key(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: " ")
    }
}
