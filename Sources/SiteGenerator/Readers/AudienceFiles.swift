import Access
import OpenSSL

/// Where the files lie that are made for one audience alone, and who may have them.
///
/// A page shows what all its readers may read. What one of them may read beyond that, the browser
/// fetches from files that are guarded like pages:
///
///     /_reader/public.json          for everybody
///     /_reader/signed-in.json       for whoever is signed in
///     /_reader/group/hr.json        for the group hr
///     /_search/<audience>/…         an index of that audience's pages
enum AudienceFiles {
    /// The file that says what else there is for somebody: for everybody, for whoever is signed in,
    /// or for the members of one group.
    static func readerURL(_ readers: Audience) -> String {
        switch readers {
        case .public: "/_reader/public.json"
        case .signedIn: "/_reader/signed-in.json"
        case .groups(let names): "/_reader/group/\(names.sorted().joined(separator: ",")).json"
        }
    }

    /// The folder of what is found in an audience's pages.
    static func searchFolder(_ audience: Audience) -> String {
        switch audience {
        case .public: return "/_search/public/"
        case .signedIn: return "/_search/signed-in/"
        case .groups(let names):
            // Names have no space, and a long list of them is no path.
            let list = Array(names.sorted().joined(separator: " ").utf8)
            return "/_search/\(Digest.hexadecimal(Digest.sha256(list).prefix(8)))/"
        }
    }

    /// The kinds of reader that have a file of their own: a reader is of several.
    static func readers(_ groups: [GroupDefinition]) -> [Audience] {
        [.public, .signedIn] + groups.map { .groups([$0.name]) }
    }

    /// - Parameter audiences: of the pages.
    static func rules(_ audiences: Set<Audience>, _ groups: [GroupDefinition])
        -> [AccessPolicy.Rule]
    {
        let searched = audiences.filter { $0 != .groups([]) }.sorted { "\($0)" < "\($1)" }
        return readers(groups).map { AccessPolicy.Rule(path: readerURL($0), audience: $0) }
            + searched.map { AccessPolicy.Rule(path: searchFolder($0), audience: $0) }
    }
}
