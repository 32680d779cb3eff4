import Access
import Diagnostics
import Markdown
import Rules
import SourceFolder

/// All pages and files of a site, by path and by URL.
package struct Site: Sendable {
    package let configuration: SiteConfiguration
    /// The source folder, relative to the folder of `sitegen.toml`.
    package let folder: String
    /// The published pages, sorted by URL.
    package let pages: [Page]
    /// All pages, sorted by URL.
    ///
    /// The `access` of an unpublished page still applies to its folder.
    package let pagesAndDrafts: [Page]
    /// Files that are copied unchanged, with their URLs.
    package let assets: [(url: String, file: SourceTree.File)]
    package private(set) var diagnostics: [Diagnostic] = []

    private let pagesByURL: [String: Int]
    private let pagesByPath: [String: Int]
    private let unpublishedReasons: [String: UnpublishedReason]
    /// By any canonically equivalent spelling.
    private let assetsByURL: [String: Int]
    /// Whether all URLs are ASCII without capital letters; then two of them are equal or differ.
    private let isLowercase: Bool
    /// The published files of authors by their output paths in lower case; empty if
    /// ``isLowercase``.
    private let authorsOutputs: [String: SourceTree.File]
    /// The URLs of all folders, in lower case.
    private let folders: Set<String>

    package init(
        _ configuration: SiteConfiguration,
        folder: String,
        pages read: [Page],
        assets files: [SourceTree.File]
    ) {
        self.configuration = configuration
        self.folder = folder
        let urls = read.map(\.url)
        let order = urls.indices.sorted { urls[$0].utf8.lexicographicallyPrecedes(urls[$1].utf8) }
        pagesAndDrafts = order.map { read[$0] }
        let pages = pagesAndDrafts.filter { $0.unpublishedReason == nil }
        self.pages = pages
        let withheld = UnpublishedFiles(files, of: read)
        var unpublishedReasons: [String: UnpublishedReason] = [:]
        for page in read {
            guard let unpublishedReason = page.unpublishedReason else { continue }
            unpublishedReasons[page.file.path] = unpublishedReason
            unpublishedReasons[String(page.url.dropFirst().dropLast())] = unpublishedReason
        }
        for (path, unpublishedReason) in withheld.unpublishedReasons {
            unpublishedReasons[path] = unpublishedReason
        }
        self.unpublishedReasons = unpublishedReasons
        assets = withheld.taken.map { (SitePathName.url(ofFile: $0.path), $0) }
        assetsByURL = Self.positions(assets.map(\.url))
        var folders: Set<String> = ["/"]
        var last = "/"
        for url in order.lazy.map({ urls[$0] }) + assets.lazy.map(\.url) {
            // Neighbours are mostly in one folder.
            let parent = SitePathName.parent(of: url)
            if parent == last { continue }
            last = parent
            var folder = parent.lowercased()
            while folders.insert(folder).inserted { folder = SitePathName.parent(of: folder) }
        }
        self.folders = folders
        pagesByURL = Self.positions(pages.map(\.url))
        pagesByPath = Self.positions(pages.map(\.file.path))
        isLowercase = (urls + assets.map(\.url)).allSatisfy { url in
            url.utf8.allSatisfy { $0 < 0x80 && !(65...90).contains($0) }
        }
        authorsOutputs = isLowercase ? [:] : Self.authorsOutputs(pages, assets)
        diagnostics += withheld.diagnostics
        checkOutputs()
        checkSlugs()
    }

    /// The position of each name in a list; of two, that of the first.
    private static func positions(_ names: [String]) -> [String: Int] {
        var positions: [String: Int] = [:]
        positions.reserveCapacity(names.count)
        for (index, name) in names.enumerated().reversed() { positions[name] = index }
        return positions
    }

    package func page(at url: String) -> Page? { pagesByURL[url].map { pages[$0] } }

    package func page(inFile path: String) -> Page? { pagesByPath[path].map { pages[$0] } }

    /// The index in ``pages``: a page has so many parts that even copying it takes time.
    package func index(ofPageAt url: String) -> Int? { pagesByURL[url] }

    package func index(ofPageIn path: String) -> Int? { pagesByPath[path] }

    /// Why a page is not published, by its file's path or its URL without the outer slashes; `nil`
    /// also if there is no such page.
    package func unpublishedReason(of path: String) -> UnpublishedReason? {
        unpublishedReasons[path]
    }

    /// The published file of an author that is written to a path.
    ///
    /// - Parameter path: begins with `/`; in lower case, as case does not matter.
    package func author(ofOutput path: String) -> SourceTree.File? {
        if !isLowercase { return authorsOutputs[path] }
        let page = path.hasSuffix("/index.html") ? page(at: String(path.dropLast(10))) : nil
        return page?.file ?? assetsByURL[path].map { assets[$0].file }
    }

    private static func authorsOutputs(
        _ pages: [Page],
        _ assets: [(url: String, file: SourceTree.File)]
    ) -> [String: SourceTree.File] {
        let pages = pages.map { (($0.url + "index.html").lowercased(), $0.file) }
        return Dictionary(
            pages + assets.map { ($0.url.lowercased(), $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether a page or file, published or not, is below a URL that ends with `/`.
    func hasFolder(at url: String) -> Bool { folders.contains(url.lowercased()) }

    /// The URL of an asset as spelled on disk.
    package func asset(at url: String) -> String? { assetsByURL[url].map { assets[$0].url } }

    private mutating func checkFolders() {
        var spellings: [String: String] = [:]
        for (url, file) in pagesAndDrafts.map({ ($0.url, $0.file) }) + assets {
            var folder = url.hasSuffix("/") ? url : SitePathName.parent(of: url)
            while folder != "/" {
                let key = folder.lowercased()
                guard let known = spellings[key] else {
                    spellings[key] = folder
                    folder = SitePathName.parent(of: folder)
                    continue
                }
                // Swift treats canonically equivalent spellings as equal; file systems and access
                // rules do not.
                if !known.utf8.elementsEqual(folder.utf8) {
                    let isCase = known != folder
                    let message =
                        isCase
                        ? "'\(folder)' and '\(known)' differ only in case"
                        : "'\(folder)' exists twice, in two Unicode spellings"
                    diagnostics.append(
                        Diagnostic(.duplicateOutput, message, at: SourceLocation(file.displayPath))
                    )
                    return
                }
                // The folders above it are known, too.
                break
            }
        }
    }

    /// Whether no two outputs can have one path: a quick answer, so that most sites need no
    /// dictionary of all their outputs.
    private var hasDistinctOutputs: Bool {
        isLowercase && assetsByURL.count == assets.count
            && !assets.contains { $0.url.hasSuffix("/index.html") }
            && zip(pagesAndDrafts, pagesAndDrafts.dropFirst()).allSatisfy { $0.url != $1.url }
    }

    /// Refuses two outputs with one path, and paths that differ only in case.
    ///
    /// siteauth and some file systems ignore case.
    private mutating func checkOutputs() {
        var writers: [String: (url: String, file: SourceTree.File)] = [:]
        let hasDistinctOutputs = hasDistinctOutputs
        if !hasDistinctOutputs { checkFolders() }
        // Unpublished pages count, too: two files must not set the access of one URL.
        let pages = hasDistinctOutputs ? [] : pagesAndDrafts
        for (url, file) in pages.map({ ($0.url + "index.html", $0.file) }) + assets {
            if !file.isMarkdown, let mistake = SitePathName.mistake(url) {
                diagnostics.append(
                    Diagnostic(.sourceFile, mistake, at: SourceLocation(file.displayPath))
                )
            }
            if hasDistinctOutputs { continue }
            if let other = writers.updateValue((url, file), forKey: url.lowercased()) {
                let path = other.file.displayPath
                let arePages = file.isMarkdown && other.file.isMarkdown && url == other.url
                let message =
                    arePages
                    ? "has the URL '\(SitePathName.parent(of: url))', and so has '\(path)'; rename"
                        + " one, or change its 'slug'"
                    : "writes '\(url.dropFirst())', which '\(path)' also writes"
                diagnostics.append(
                    Diagnostic(.duplicateOutput, message, at: SourceLocation(file.displayPath))
                )
            }
        }
    }

    /// Refuses a slug on a page that has a folder: the access of `about.md` applies to the folder
    /// `about`.
    ///
    /// With another URL, it would not, and the folder would be open.
    private mutating func checkSlugs() {
        for page in pagesAndDrafts {
            guard let slug = page.frontMatter.slug else { continue }
            let folder = SitePathName.url(ofPage: page.file.path, isIndex: page.file.isIndex)
            if folder != page.url, hasFolder(at: folder) {
                let message =
                    "'slug' would separate this page from its folder '\(folder.dropFirst())'"
                diagnostics.append(Diagnostic(.frontMatter, message, at: slug.location))
            }
        }
    }
}
