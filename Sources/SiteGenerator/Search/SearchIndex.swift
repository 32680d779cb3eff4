import Access
import OpenSSL

/// The search indexes of a site: one for each audience, with the pages of exactly this audience.
///
/// A reader's browser queries all indexes that the reader may read, and merges the results. Each
/// searchable page is in one index. Everything in an index (words, frequencies, titles, sections)
/// comes from its own pages, so whoever may read the index may read each of them.
struct SearchIndex: Sendable {
    private(set) var files: [Publication.File] = []
    /// The URLs of the folders of the indexes.
    ///
    /// The URL contains the digest of the index, so that a browser never mixes parts of two
    /// releases.
    private(set) var folders: [Audience: String] = [:]

    static let fileName = "index.bin"

    /// - Parameters:
    ///   - texts: the range of each page's text in its file, by URL.
    ///   - terms: the words of a page.
    init(
        _ site: Site,
        _ access: PageAccess,
        _ navigation: Navigation,
        texts: [String: Range<Int>],
        terms: (Page) -> PageTerms
    ) async {
        guard site.configuration.search else { return }
        for audience in Self.audiences(site, access) {
            let documents = Self.documents(audience, site, access, navigation, texts, terms)
            if documents.isEmpty { continue }
            let readers =
                if case .groups(let names) = audience {
                    names.sorted().joined(separator: ", ")
                } else { "" }
            let file = SearchFile(documents, await SearchPostings(documents), readers: readers)
            let digest = Digest.hexadecimal(Digest.sha256(file.bytes).prefix(8))
            let folder = "\(AudienceFiles.searchFolder(audience))\(digest)/"
            // Checked against the policy, because an author's page may lie in this folder.
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

    /// The audiences of the site's pages, in a stable order.
    static func audiences(_ site: Site, _ access: PageAccess) -> [Audience] {
        Set(site.pages.map { access.audience(of: $0.url) })
            .sorted { "\($0)" < "\($1)" }
    }

    private static func documents(
        _ audience: Audience,
        _ site: Site,
        _ access: PageAccess,
        _ navigation: Navigation,
        _ texts: [String: Range<Int>],
        _ terms: (Page) -> PageTerms
    ) -> [SearchDocument] {
        navigation.view(for: audience).order.compactMap { listed in
            guard access.audience(of: listed.url) == audience, let page = site.page(at: listed.url),
                page.frontMatter.isSearched
            else { return nil }
            let above = navigation.breadcrumbs(for: listed.url, audience).filter { $0.url != "/" }
            return SearchDocument(
                page: listed,
                words: terms(page),
                section: above.map(\.label).joined(separator: " › "),
                aliases: page.frontMatter.aliases.map(\.text),
                text: texts[listed.url] ?? 0..<0
            )
        }
    }
}
