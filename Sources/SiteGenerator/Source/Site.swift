import Access
import Diagnostics

/// All pages and files of a site, by path and by URL.
struct Site: Sendable {
    let configuration: SiteConfiguration
    /// The source folder, relative to the folder of `sitegen.toml`.
    let folder: String
    /// The published pages, sorted by URL.
    let pages: [Page]
    /// All pages, sorted by URL.
    ///
    /// The `access` of an unpublished page still applies to its folder.
    let pagesAndDrafts: [Page]
    /// Files that are copied unchanged, with their URLs.
    let assets: [(url: String, file: SourceTree.File)]
    private(set) var diagnostics: [Diagnostic] = []

    private let pagesByURL: [String: Int]
    private let pagesByPath: [String: Int]
    private let unpublishedReasons: [String: Page.UnpublishedReason]
    /// The URLs of assets as spelled on disk, by any canonically equivalent spelling.
    private let assetURLs: [String: String]
    /// The URLs of all folders, in lower case.
    private let folders: Set<String>

    init(
        _ configuration: SiteConfiguration,
        folder: String,
        pages read: [Page],
        assets files: [SourceTree.File]
    ) {
        self.configuration = configuration
        self.folder = folder
        pagesAndDrafts = read.sorted { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
        let pages = pagesAndDrafts.filter { $0.unpublishedReason == nil }
        self.pages = pages
        let withheld = UnpublishedFiles(files, of: read)
        var unpublishedReasons: [String: Page.UnpublishedReason] = [:]
        for page in read {
            guard let unpublishedReason = page.unpublishedReason else { continue }
            unpublishedReasons[page.file.path] = unpublishedReason
            unpublishedReasons[String(page.url.dropFirst().dropLast())] = unpublishedReason
        }
        for (path, unpublishedReason) in withheld.unpublishedReasons {
            unpublishedReasons[path] = unpublishedReason
        }
        self.unpublishedReasons = unpublishedReasons
        assets = withheld.taken.map { ("/" + $0.path, $0) }
        assetURLs = Dictionary(
            assets.map { ($0.url, $0.url) },
            uniquingKeysWith: { first, _ in first }
        )
        var folders: Set<String> = ["/"]
        for url in pagesAndDrafts.map(\.url) + assets.map(\.url) {
            var folder = NavigationTree.parent(of: url.lowercased())
            while folders.insert(folder).inserted { folder = NavigationTree.parent(of: folder) }
        }
        self.folders = folders
        pagesByURL = Dictionary(
            pages.indices.map { (pages[$0].url, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        pagesByPath = Dictionary(
            pages.indices.map { (pages[$0].file.path, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        diagnostics += withheld.diagnostics
        checkOutputs()
        checkSlugs()
    }

    func page(at url: String) -> Page? { pagesByURL[url].map { pages[$0] } }

    /// The position of a page among ``pages``.
    func position(ofPageAt url: String) -> Int? { pagesByURL[url] }

    func page(inFile path: String) -> Page? { pagesByPath[path].map { pages[$0] } }

    /// Why a page is not published, by its file's path or its URL without the outer slashes; `nil`
    /// also if there is no such page.
    func unpublishedReason(of path: String) -> Page.UnpublishedReason? { unpublishedReasons[path] }

    /// The published files of authors, by their output paths in lower case.
    var authorsOutputs: [String: SourceTree.File] {
        let pages = pages.map { (($0.url + "index.html").lowercased(), $0.file) }
        return Dictionary(
            pages + assets.map { ($0.url.lowercased(), $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether a page or file, published or not, is below a URL that ends with `/`.
    func hasFolder(at url: String) -> Bool { folders.contains(url.lowercased()) }

    /// The URL of an asset as spelled on disk.
    func asset(at url: String) -> String? { assetURLs[url] }

    private mutating func checkFolders() {
        var spellings: [String: String] = [:]
        for (url, file) in pagesAndDrafts.map({ ($0.url, $0.file) }) + assets {
            var folder = url.hasSuffix("/") ? url : NavigationTree.parent(of: url)
            while folder != "/" {
                let known = spellings[folder.lowercased(), default: folder]
                spellings[folder.lowercased()] = known
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
                folder = NavigationTree.parent(of: folder)
            }
        }
    }

    /// Refuses two outputs with one path, and paths that differ only in case.
    ///
    /// siteauth and some file systems ignore case.
    private mutating func checkOutputs() {
        var writers: [String: (url: String, file: SourceTree.File)] = [:]
        checkFolders()
        // Unpublished pages count, too: two files must not set the access of one URL.
        for (url, file) in pagesAndDrafts.map({ ($0.url + "index.html", $0.file) }) + assets {
            if let mistake = SitePathName.mistake(url), !file.isMarkdown {
                diagnostics.append(
                    Diagnostic(.sourceFile, mistake, at: SourceLocation(file.displayPath))
                )
            }
            if let other = writers.updateValue((url, file), forKey: url.lowercased()) {
                let path = other.file.displayPath
                let arePages = file.isMarkdown && other.file.isMarkdown && url == other.url
                let message =
                    arePages
                    ? "has the URL '\(NavigationTree.parent(of: url))', and so has '\(path)'; rename"
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
            let folder = SitePathName.url(ofPage: page.file.path)
            if folder != page.url, hasFolder(at: folder) {
                let message =
                    "'slug' would separate this page from its folder '\(folder.dropFirst())'"
                diagnostics.append(Diagnostic(.frontMatter, message, at: slug.location))
            }
        }
    }
}
