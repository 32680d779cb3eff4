import Access
import Jansson
import Site
import SourceFolder

/// The files from which a reader's browser learns, beyond the page it shows, which sections the
/// reader may open, where to search, and which pages their owners have to review.
///
/// There is one file for everybody, one for signed-in readers and one for each group. The browser
/// of a reader in two groups loads four.
struct AudienceManifests: Sendable {
    let files: [GeneratedFile]

    init(_ site: Site, _ navigation: Navigation) {
        let overdue = Set(site.pages.indices.filter { site.pages[$0].isOverdue })
        let due = navigation.tree.entries.filter { $0.page.map(overdue.contains) == true }
        files = AudienceFiles.readers(site.configuration.groups).map { readers in
            let sections = ReaderSections(navigation.tree, for: readers).pages.map { page in
                var entry: JSON.Members = [
                    "url": .string(SitePathName.encode(page.url)), "label": .string(page.label),
                ]
                entry["about"] = page.excerpt.map(JSON.string)
                return JSON.object(entry)
            }
            let reviews = due.compactMap { Self.review($0, for: readers, site) }
            return GeneratedFile(
                url: AudienceFiles.readerURL(readers),
                readers: readers,
                name: "the list of sections for '\(readers)'",
                .manifest { searchFolders in
                    let folders = searchFolders.filter { Self.adds($0.key, to: readers) }
                    var content: JSON.Members = [
                        "sections": .array(sections),
                        "search": .array(folders.values.joined().sorted().map(JSON.string)),
                    ]
                    if !reviews.isEmpty { content["reviews"] = .array(reviews) }
                    if case .groups = readers { content["isGroup"] = .bool(true) }
                    return Array(JSON.object(content).text.utf8)
                }
            )
        }
    }

    /// A page whose review is due, for readers who can sign in as its owners; each page for one kind
    /// of them.
    private static func review(
        _ entry: NavigationTree.Entry,
        for readers: Audience,
        _ site: Site
    ) -> JSON? {
        guard readers != .public, let candidate = entry.candidate,
            let shown = Disclosure.show(candidate, to: readers),
            readers == .signedIn || Disclosure.show(candidate, to: .signedIn) == nil,
            let matter = entry.page.map({ site.pages[$0].frontMatter })
        else { return nil }
        // Of 'Ada Moss <ada@example.com>', what a session knows of its reader.
        let names = matter.owners.compactMap { $0.split(separator: " <").first?.lowercased() }
        let day = matter.review.map { site.configuration.texts.date($0.day.day) } ?? ""
        return [
            "url": .string(SitePathName.encode(shown.url)), "label": .string(shown.title),
            "about": .string(day), "owners": .array(names.map(JSON.string)),
        ]
    }

    /// Whether membership in `readers` gives access to the pages of `audience`.
    private static func adds(_ audience: Audience, to readers: Audience) -> Bool {
        switch (audience, readers) {
        case (.public, .public), (.signedIn, .signedIn): true
        case (.groups(let names), .groups(let mine)): mine.isSubset(of: names)
        default: false
        }
    }
}
