import Access
import Site
import SourceFolder

/// The pages as Markdown, and the lists from which programs learn of them (llmstxt.org).
///
/// A program that has a reader's session gets what the reader gets: the list for everybody, the one
/// for signed-in readers, and one for each of the reader's groups. None names a group, because those
/// who are no member may read where the others are.
struct MarkdownFiles: Sendable {
    private(set) var files: [GeneratedFile] = []

    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        guard site.configuration.copiesMarkdown else { return }
        files = site.pages.map { page in
            GeneratedFile(
                url: page.markdownURL,
                readers: access.audience(of: page.url),
                name: "the Markdown of '\(page.url)'",
                .markdown
            )
        }
        for readers in AudienceFiles.readers(site.configuration.groups) {
            let url = AudienceFiles.listURL(readers)
            if site.asset(at: url) != nil { continue }
            let text = Self.list(site, Self.pages(navigation.tree, for: readers), for: readers)
            files.append(
                GeneratedFile(
                    url: url,
                    readers: readers,
                    name: "the list for programs of '\(readers)'",
                    .bytes(Array(text.utf8))
                )
            )
        }
    }

    /// The pages that these readers may open, and the readers of the list above theirs may not.
    private static func pages(_ tree: NavigationTree, for readers: Audience) -> [ListedPage] {
        let others: Audience = readers == .signedIn ? .public : .signedIn
        return tree.entries.compactMap { entry in
            guard entry.page != nil, let candidate = entry.candidate,
                readers == .public || Disclosure.show(candidate, to: others) == nil
            else { return nil }
            return Disclosure.show(candidate, to: readers)
        }
    }

    private static func list(
        _ site: Site,
        _ pages: [ListedPage],
        for readers: Audience
    ) -> String {
        let origin = site.configuration.baseURL ?? ""
        var text = "# \(words(site.configuration.title))\n"
        // Strangers get the description with a page, or not at all.
        if !pages.isEmpty, !site.configuration.description.isEmpty {
            text += "\n> \(words(site.configuration.description))\n"
        }
        if !pages.isEmpty { text += "\n## Pages\n\n" }
        for page in pages {
            let address = "\(origin)\(SitePathName.encode(page.url))index.md"
            let description = page.description.map { ": \(words($0))" } ?? ""
            text += "- [\(words(page.title))](\(address))\(description)\n"
        }
        guard readers == .public else { return text }
        let signedIn = AudienceFiles.listURL(.signedIn)
        let group = AudienceFiles.listURL(.groups(["GROUP"]))
        return text + """

            ## With a session

            These addresses need the session cookie of a reader who has signed in.

            - [Pages for all who sign in](\(origin)\(signedIn))
            - [The reader's groups](\(origin)/auth/me): for each of them, \(origin)\(group) lists its pages

            """
    }

    /// A text on one line in which no bracket ends a link.
    private static func words(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
}
