import Access
import Jansson
import Site
import SourceFolder

/// The files from which a reader's browser learns, beyond the page it shows, which sections the
/// reader may open and where to search.
///
/// There is one file for everybody, one for signed-in readers and one for each group. The browser
/// of a reader in two groups loads four.
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
                name: "the list of sections for '\(readers)'",
                .manifest { searchFolders in
                    let folders = searchFolders.filter { Self.adds($0.key, to: readers) }
                    let content: JSON = [
                        "sections": .array(sections),
                        "search": .array(folders.values.joined().sorted().map(JSON.string)),
                    ]
                    return Array(content.text.utf8)
                }
            )
        }
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
