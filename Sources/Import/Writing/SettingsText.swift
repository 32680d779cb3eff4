import MarkdownWriting

/// The `sitegen.toml` of an imported site.
struct SettingsText {
    static let file = "sitegen.toml"

    /// What the site's groups were in the other system.
    let groups: [(name: String, meaning: String)]
    /// Who all readers are, if they are limited; other readers have another text.
    let readers: String?
    let text: String

    init(_ layout: SiteLayout) {
        let site = layout.site
        readers = site.readers.map { "\(SiteLayout.spaceReaders)-\(Restriction.digest([$0]))" }
        groups =
            (site.readers.map { [(SiteLayout.spaceReaders, $0.description)] } ?? []) + layout.groups
        var lines = [
            "title = \(MarkdownText.quoted(String(site.title.prefix(200))))", "",
            "# Who may read pages that have no 'access' of their own.",
            site.readers.map { _ in "access = [\"\(SiteLayout.spaceReaders)\"]" }
                ?? "access = \"signed-in\"", "", "[groups]",
        ]
        if !groups.isEmpty {
            lines += [
                "# Pages name the groups below, and nothing is published before each is defined. After '#'",
                "# stands who could read the pages. A page below another one is for readers of both; where it",
                "# lets in more than the page above it, 'sitegen' asks for 'widens' in the page: decide there.",
            ]
        }
        for (name, meaning) in groups {
            let comment = MarkdownText.printed(meaning.words).prefix(300)
            lines.append("# \(name) = { group = \"object id\" }  # \(comment)")
        }
        text = lines.joined(separator: "\n") + "\n"
    }
}
