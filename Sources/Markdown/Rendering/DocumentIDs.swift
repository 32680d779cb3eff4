/// The ids of a page's headings and footnotes, none of them twice.
struct DocumentIDs {
    /// What the ids of the templates begin with, and no other id: the slug of a heading has no
    /// capital of ASCII.
    static let reservedPrefix = "Site-"

    private var slugs = HeadingSlugs()
    /// Those chosen by the author that a heading has by now.
    private var given: Set<String> = []

    /// - Parameter chosen: by the author, for any heading of the page. They are kept from headings
    ///   above as well: who wrote `{#prices}` links to that heading.
    init(chosen: some Sequence<String>) {
        for id in chosen { slugs.reserve(id) }
    }

    /// The id of the next heading, and what is wrong with the one that its author chose.
    mutating func next(
        chosen: String?,
        text: String
    ) -> (id: String, problem: MarkdownDiagnostic.Kind?) {
        guard let chosen else { return (slugs.next(for: text), nil) }
        if chosen.hasPrefix(Self.reservedPrefix) {
            return (slugs.next(for: text), .reservedID(chosen))
        }
        if given.insert(chosen).inserted { return (chosen, nil) }
        return (slugs.unique(chosen), .duplicateID(chosen))
    }

    /// The id of something else than a heading.
    mutating func unique(_ id: String) -> String { slugs.unique(id) }
}
