import Access
import OpenSSL
import Rules

/// The URLs of files that are generated for one audience, and their access rules.
///
/// A page shows only what all its readers may read. What a single reader may read beyond that, the
/// browser loads from files that are protected like pages:
///
///     /_reader/public.json          for everybody
///     /_reader/signed-in.json       for signed-in readers
///     /_reader/group/hr.json        for the group hr
///     /_search/<audience>/…         an index of that audience's pages
///
/// With copies of the pages as Markdown, programs find these in lists with the same names that end
/// with `.txt`. The one for everybody is `/llms.txt`.
///
/// Nobody may read what else is in these folders: by another answer, readers could find out which
/// groups exist, and for which groups together there are pages.
package enum AudienceFiles {
    /// Whether readers never open a URL themselves: indexes of search, and lists for scripts.
    package static func isInternal(_ url: String) -> Bool {
        url.hasPrefix("/_reader/") || url.hasPrefix("/_search/")
    }

    /// The manifest for everybody, for signed-in readers, or for the members of one group: it lists
    /// what else they may read.
    package static func readerURL(_ readers: Audience) -> String {
        switch readers {
        case .public: "/_reader/public.json"
        case .signedIn: "/_reader/signed-in.json"
        case .groups(let names): "/_reader/group/\(names.sorted().joined(separator: ",")).json"
        }
    }

    /// The list of what these readers may read beyond those who are no member, for programs.
    package static func listURL(_ readers: Audience) -> String {
        readers == .public ? "/llms.txt" : readerURL(readers).replacing(".json", with: ".txt")
    }

    /// The folder of the search index of an audience's pages.
    package static func searchFolder(_ audience: Audience) -> String {
        switch audience {
        case .public: return "/_search/public/"
        case .signedIn: return "/_search/signed-in/"
        case .groups(let names):
            // Group names contain no space. Hashed, because a long list of names would not fit into
            // a path.
            let list = Array(names.sorted().joined(separator: " ").utf8)
            return "/_search/\(Digest.hexadecimal(Digest.sha256(list).prefix(8)))/"
        }
    }

    /// The audiences that have a manifest.
    ///
    /// A reader may belong to several.
    package static func readers(_ groups: [GroupDefinition]) -> [Audience] {
        [.public, .signedIn] + groups.map { .groups([$0.name]) }
    }

    /// - Parameter audiences: the audiences of the pages.
    package static func rules(_ audiences: Set<Audience>, _ groups: [GroupDefinition])
        -> [AccessPolicy.Rule]
    {
        let searched = audiences.filter { $0 != .nobody }.sorted { "\($0)" < "\($1)" }
        return ["/_reader/group/", "/_search/"].map {
            AccessPolicy.Rule(path: $0, audience: .nobody)
        }
            + readers(groups).map { AccessPolicy.Rule(path: readerURL($0), audience: $0) }
            + searched.map { AccessPolicy.Rule(path: searchFolder($0), audience: $0) }
    }
}
