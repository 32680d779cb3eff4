import Access
import OpenSSL

/// The indexes of a site, one for each audience, of the pages that are for exactly these readers.
///
/// A reader's browser asks all indexes that the reader may read, and adds up. Every page is in one
/// of them, and all that an index holds (words, how often they come, titles, sections) comes from
/// its own pages: whoever may read it may read each of them.
struct SearchIndex: Sendable {
    private(set) var files: [Publication.File] = []
    /// The URL of the folder with an audience's index.
    ///
    /// It holds the digest of all of it: a reader whose release is gone gets no half of another.
    private(set) var folders: [Audience: String] = [:]

    static let fileName = "index.bin"

    /// - Parameter texts: where the text of a page stands in its file, by URL.
    init(
        _ site: Site,
        _ access: PageAccess,
        _ navigation: Navigation,
        texts: [String: Range<Int>]
    ) async {
        guard site.configuration.search else { return }
        for audience in Self.audiences(site, access) {
            let documents = Self.documents(audience, site, access, navigation, texts)
            if documents.isEmpty { continue }
            let readers =
                if case .groups(let names) = audience {
                    names.sorted().joined(separator: ", ")
                } else { "" }
            let file = SearchFile(documents, await SearchPostings(documents), readers: readers)
            let digest = Digest.hexadecimal(Digest.sha256(file.bytes).prefix(8))
            let folder = "\(AudienceFiles.searchFolder(audience))\(digest)/"
            // The policy is what will be judged by: an author's page may lie in the folder.
            guard access.audience(of: folder + Self.fileName) == audience else { continue }
            folders[audience] = folder
            files.append(
                Publication.File(
                    path: "site\(folder)\(Self.fileName)",
                    content: .bytes(file.bytes)
                )
            )
        }
    }

    /// Those that a page of the site is for, in an order that never changes.
    static func audiences(_ site: Site, _ access: PageAccess) -> [Audience] {
        Set(site.pages.map { access.audience(of: $0.url) })
            .sorted { "\($0)" < "\($1)" }
    }

    private static func documents(
        _ audience: Audience,
        _ site: Site,
        _ access: PageAccess,
        _ navigation: Navigation,
        _ texts: [String: Range<Int>]
    ) -> [SearchDocument] {
        navigation.view(for: audience).order.compactMap { listed in
            guard access.audience(of: listed.url) == audience, let page = site.page(at: listed.url),
                page.frontMatter.isSearched
            else { return nil }
            let above = navigation.breadcrumbs(for: listed.url, audience).filter { $0.url != "/" }
            return SearchDocument(
                page: listed,
                words: page.terms,
                section: above.map(\.label).joined(separator: " › "),
                aliases: page.frontMatter.aliases.map(\.text),
                text: texts[listed.url] ?? 0..<0
            )
        }
    }
}
