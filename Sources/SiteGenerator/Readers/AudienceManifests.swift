import Access
import Jansson

/// What the browser of a reader learns of the site, beyond the page that it shows: which sections
/// are theirs, and where to search.
///
/// One file for everybody, one for whoever is signed in, one for each group; the browser of somebody
/// in two groups asks for four.
struct AudienceManifests: Sendable {
    let files: [GeneratedFile]

    init(_ site: Site, _ navigation: Navigation) {
        files = AudienceFiles.readers(site.configuration.groups).map { readers in
            let sections = ReaderSections(navigation.tree, for: readers).pages.map { page -> JSON in
                ["url": .string(SitePathName.encode(page.url)), "label": .string(page.label)]
            }
            return GeneratedFile(
                url: AudienceFiles.readerURL(readers),
                readers: readers,
                name: "the list of sections for '\(readers)'"
            ) { renderer in
                let folders = renderer.searchFolders.filter { Self.adds($0.key, to: readers) }
                let content: JSON = [
                    "sections": .array(sections),
                    "search": .array(folders.values.sorted().map(JSON.string)),
                ]
                return Array(content.text.utf8)
            }
        }
    }

    /// Whether being one of these readers is what opens an audience's pages to somebody.
    private static func adds(_ audience: Audience, to readers: Audience) -> Bool {
        switch (audience, readers) {
        case (.public, .public), (.signedIn, .signedIn): true
        case (.groups(let names), .groups(let mine)): mine.isSubset(of: names)
        default: false
        }
    }
}
