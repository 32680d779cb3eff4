/// Gives each heading and footnote of a page an id of its own.
struct DocumentIDs {
    /// The prefix of the templates' ids.
    ///
    /// No other id begins with it, because slugs of headings have no capital letter of ASCII.
    static let reservedPrefix = "Site-"

    private var slugs = HeadingSlugs()
    /// The chosen ids that a heading has already.
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

    /// The id of an element that is no heading.
    mutating func unique(_ id: String) -> String { slugs.unique(id) }
}
