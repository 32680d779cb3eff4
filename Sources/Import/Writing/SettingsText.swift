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
            lines.append("# \(name) = { group = \"object id\" }  # \(Self.comment(meaning))")
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    /// One line, whatever the other system's names contain.
    private static func comment(_ text: String) -> String {
        String(
            String(
                text.words.unicodeScalars.map { scalar in
                    let isPrinted = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                    return isPrinted ? Character(scalar) : " "
                }
            ).prefix(300)
        )
    }
}
