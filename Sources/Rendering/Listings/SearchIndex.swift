import Access
import OpenSSL
import POSIX
import Search
import Site
import SourceFolder

/// The text of a page in its file.
package struct PageText: Sendable {
    /// Its place in the file; empty if it is not known.
    package let range: Range<Int>
    /// The number of its words, counting repetitions.
    package let wordCount: Int
    /// The links to other pages.
    package let links: [PageLink]
    package let words: @Sendable () throws(SystemError) -> PageTerms
}

/// The search indexes of a site: one for each audience and language, with the pages of exactly this
/// audience in this language, whose words have its stems.
///
/// A reader's browser queries all indexes that the reader may read, and merges the results. Each
/// searchable page is in one index. Everything in an index (words, frequencies, titles, sections)
/// comes from its own pages, so whoever may read the index may read each of them; and the words of
/// links to a page from pages that all of its readers may read.
package struct SearchIndex: Sendable {
    package private(set) var files: [(path: String, bytes: [UInt8])] = []
    /// The URLs of the folders of the indexes.
    ///
    /// The URL contains the digest of the index, so that a browser never mixes parts of two
    /// releases.
    package private(set) var folders: [Audience: [String]] = [:]

    static let fileName = "index.bin"

    /// - Parameters:
    ///   - texts: those of the site's pages, in their order.
    package init(
        _ site: Site,
        _ access: PageAccess,
        _ navigation: Navigation,
        _ texts: [PageText]
    ) async throws(SystemError) {
        guard site.configuration.search else { return }
        let audiences = await site.pages.concurrentMap { access.audience(of: $0.url) }
        let links = Self.links(site, audiences, texts)
        let sorted = Set(audiences).map { (name: "\($0)", audience: $0) }
            .sorted { $0.name < $1.name }
        for (_, audience) in sorted {
            let all = Self.documents(audience, audiences, site, navigation, texts, links)
            let languages = Dictionary(grouping: all, by: \.language)
            for (language, documents) in languages.sorted(by: { $0.key < $1.key }) {
                let bytes = try await SearchFile(
                    documents.map(\.document),
                    language: language,
                    readers: Self.readers(audience, site.configuration)
                ) { index throws(SystemError) in
                    try documents[index].text.words()
                }.bytes
                let digest = Digest.hexadecimal(Digest.sha256(bytes).prefix(8))
                let folder = "\(AudienceFiles.searchFolder(audience))\(digest)/"
                // Checked against the policy, because an author's page may lie in this folder.
                guard access.audience(of: folder + Self.fileName) == audience else { continue }
                folders[audience, default: []].append(folder)
                files.append(("site\(folder)\(Self.fileName)", bytes))
            }
        }
    }

    /// The readers of an index as results name them; empty for everybody.
    private static func readers(_ audience: Audience, _ configuration: SiteConfiguration) -> String
    {
        if case .groups(let names) = audience { configuration.titles(of: names) } else { "" }
    }

    /// The HTML of the links to each page, one text for each page that has some.
    ///
    /// A page whose readers are not all readers of the linking page has nothing of it, nor has anybody
    /// anything of a page that is in no index.
    private static func links(
        _ site: Site,
        _ audiences: [Audience],
        _ texts: [PageText]
    ) -> [[[UInt8]]] {
        var links = [[[UInt8]]](repeating: [], count: site.pages.count)
        for (source, text) in texts.enumerated() {
            let matter = site.pages[source].frontMatter
            if matter.isUnlisted || !matter.isSearched { continue }
            var found: [Int: [UInt8]] = [:]
            for link in text.links where link.page != source {
                guard links[link.page].count < mostLinks,
                    audiences[link.page].isSubset(of: audiences[source])
                else { continue }
                found[link.page, default: []] += link.html + [UInt8(ascii: "\n")]
            }
            for (page, html) in found { links[page].append(html) }
        }
        return links
    }

    /// So many pages that link to a page are counted.
    private static let mostLinks = 50

    /// The pages of exactly this audience.
    ///
    /// - Parameters:
    ///   - audiences: those of the site's pages.
    ///   - links: to the site's pages.
    private static func documents(
        _ audience: Audience,
        _ audiences: [Audience],
        _ site: Site,
        _ navigation: Navigation,
        _ texts: [PageText],
        _ links: [[[UInt8]]]
    ) -> [(document: SearchDocument, text: PageText, language: String)] {
        // Neighbouring pages mostly have the same pages above them.
        var sections: [String: String] = [:]
        func section(_ url: String) -> String {
            let parent = navigation.tree.parent(of: url)
            if let section = sections[parent] { return section }
            let above = navigation.breadcrumbs(for: url, audience).filter { $0.url != "/" }
            let section = above.map(\.label).joined(separator: " › ")
            sections[parent] = section
            return section
        }
        return navigation.view(for: audience).order.compactMap { listed in
            guard let position = site.index(ofPageAt: listed.url),
                audiences[position] == audience, site.pages[position].frontMatter.isSearched
            else { return nil }
            let page = site.pages[position]
            let text = texts[position]
            let language = page.frontMatter.language ?? site.configuration.language
            let document = SearchDocument(
                listed,
                page,
                section: section(listed.url),
                text,
                links: links[position]
            )
            return (document, text, LanguageTag.code(of: language))
        }
    }
}
