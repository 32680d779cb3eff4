import Access
import SourceFolder

/// The pages of a site as a tree in reading order: as the site's outline nests them, and by their
/// URLs for pages that it does not contain.
package struct NavigationTree: Sendable {
    package struct Entry: Sendable {
        /// Empty for a heading.
        package let url: String
        /// The index of the page in ``Site/pages``; `nil` for a folder without a page, and for a
        /// heading.
        package let page: Int?
        /// The index of the parent; that of the root is its own.
        package let parent: Int
        /// The index after the last entry below this one.
        package fileprivate(set) var end: Int
        /// The audience of the URL.
        package let audience: Audience
        /// A page, or the generated list of a folder without an index page.
        package let candidate: ListingCandidate?
        /// Whether the outline places the page.
        let isPlaced: Bool
        /// The author's name for a folder without a page, or for a heading.
        fileprivate let label: String?
        /// The address of another site, by which readers may leave.
        let address: String?

        /// Also a link to another site.
        var isHeading: Bool { url.isEmpty }

        /// Whether ``candidate`` is a generated list.
        package var isList: Bool { page == nil && candidate != nil }
    }

    /// Each entry before those below it, and these in their order; the root is the first.
    package private(set) var entries: [Entry] = []
    private var indices: [String: Int] = [:]
    private let siteTitle: String
    /// What lists say of pages that they leave out.
    let texts: InterfaceTexts

    package init(
        _ site: Site,
        _ access: PageAccess,
        _ outline: NavigationOutline? = nil,
        _ files: FolderOrder = FolderOrder([])
    ) {
        siteTitle = site.configuration.title
        texts = site.configuration.texts
        let ranking = NavigationRanking(site, access, outline, files)
        let folders = ranking.folders
        entries.reserveCapacity(folders.nodes.count)
        indices.reserveCapacity(folders.nodes.count)
        var open = [(node: 0, parent: 0)]
        while let (node, parent) = open.popLast() {
            let index = entries.count
            entries.append(
                Entry(
                    url: folders.nodes[node].url,
                    page: folders.nodes[node].page,
                    parent: parent,
                    end: index + 1,
                    audience: ranking.audiences[node],
                    candidate: ranking.candidates[node],
                    isPlaced: folders.nodes[node].item != nil,
                    label: ranking.labels[node],
                    address: folders.nodes[node].address
                )
            )
            let url = entries[index].url
            if !url.isEmpty, indices[url] == nil { indices[url] = index }
            for child in folders.children(of: node).reversed() { open.append((child, index)) }
        }
        for index in entries.indices.dropFirst().reversed() {
            let parent = entries[index].parent
            entries[parent].end = max(entries[parent].end, entries[index].end)
        }
    }

    /// The index of the entry with a URL, or of the nearest one above it.
    func nearest(to url: String) -> Int {
        var url = url
        while url != "/" {
            if let index = indices[url] { return index }
            url = SitePathName.parent(of: url)
        }
        return 0
    }

    /// The URL of a page's parent; for a URL that is not in the tree, that of the folder above.
    package func parent(of url: String) -> String {
        guard var entry = indices[url] else { return SitePathName.parent(of: url) }
        repeat { entry = entries[entry].parent } while entries[entry].isHeading
        return entries[entry].url
    }

    /// What readers see in the place of a page: the folder's name, which is in the URLs of the pages
    /// below that they may open.
    ///
    /// Never the title of a page, nor the author's name for a folder that they may not open. A
    /// heading is for everybody who may open something below it.
    ///
    /// - Parameter isOpen: whether these readers may open the folder's URL.
    package func folderLabel(_ index: Int, isOpen: Bool) -> String {
        let entry = entries[index]
        let label = isOpen || entry.isHeading ? entry.label : nil
        return label ?? Self.folderLabel(entry.url) ?? siteTitle
    }

    /// `nil` for the root.
    package static func folderLabel(_ url: String) -> String? {
        url.split(separator: "/").last.map { Page.humanized(String($0)) }
    }
}
