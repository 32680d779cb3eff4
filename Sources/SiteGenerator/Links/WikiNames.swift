import Markdown

/// The names by which `[[Page]]` finds a page: its title, or the name of its file or folder.
struct WikiNames: Sendable {
    private var urls: [String: String] = [:]

    /// - Parameter pages: sorted by URL; where two have one name, the first is meant.
    init(_ pages: [Page]) {
        // Most sites have no such links, and names of thousands of pages take a while.
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

    /// The link that was meant by `Page#heading`; what names no page stays, and leads nowhere.
    func destination(of text: String) -> String {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let anchor = parts.count > 1 ? "#" + HeadingSlugs.slug(String(parts[1])) : ""
        if parts[0].isEmpty { return anchor }
        guard let url = urls[Self.key(String(parts[0]))] else { return text }
        return SitePathName.encode(url) + anchor
    }

    /// Without regard to case, and to what stands between words.
    private static func key(_ name: String) -> String {
        name.lowercased().split { $0.isWhitespace || $0 == "-" || $0 == "_" }.joined(separator: " ")
    }
}
