import Access
import Jansson
import OpenSSL

/// Where the indexes of a site lie, and the lists that lead each reader to theirs.
enum SearchFolder {
    static let root = "/_search/"

    /// The folder of an audience's indexes.
    static func url(of audience: Audience) -> String {
        switch audience {
        case .public: return "\(root)public/"
        case .signedIn: return "\(root)signed-in/"
        case .groups(let names):
            let digest = Digest.sha256(Array(names.sorted().joined(separator: ",").utf8))
            return "\(root)\(Digest.hexadecimal(digest.prefix(6)))/"
        }
    }

    /// Who may read the indexes and the lists that lead to them.
    static func rules(_ site: Site, _ authors: AccessPolicy) -> [AccessPolicy.Rule] {
        guard site.configuration.search else { return [] }
        let audiences = Set(
            site.pages.compactMap { SitePath($0.url).flatMap(authors.audience(of:)) }
        )
        return audiences.sorted { "\($0)" < "\($1)" }.map {
            AccessPolicy.Rule(path: url(of: $0), audience: $0)
        } + listURLs(site).map { AccessPolicy.Rule(path: $1, audience: $0) }
    }

    private static func listURLs(_ site: Site) -> [(Audience, String)] {
        [(.public, "/_reader/public.json"), (.signedIn, "/_reader/signed-in.json")]
            + site.configuration.groups.map {
                (.groups([$0.name]), "/_reader/group/\($0.name).json")
            }
    }

    static func lists(_ site: Site, _ access: PageAccess) -> [GeneratedFile] {
        guard site.configuration.search else { return [] }
        return listURLs(site).filter { access.audience(of: $1) == $0 }.map { readers, url in
            GeneratedFile(url: url, readers: readers, name: "a reader's list") { renderer in
                let folders = renderer.searchFolders.filter { audience, _ in
                    switch (audience, readers) {
                    case (.groups(let wanted), .groups(let mine)): !wanted.isDisjoint(with: mine)
                    default: audience == readers
                    }
                }
                let urls = folders.values.sorted().map(JSON.string)
                let list: JSON = ["sections": [], "search": .array(urls)]
                return Array(list.text.utf8)
            }
        }
    }
}
