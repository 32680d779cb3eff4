import Access
import Diagnostics

/// All pages and files of a site, found by where they lie and by their URLs.
struct Site: Sendable {
    let configuration: SiteConfiguration
    /// The source folder, as the repository has it.
    let folder: String
    /// Sorted by URL; those that are published.
    let pages: [Page]
    /// With drafts and their like: not published, and their `access` holds for their folders all
    /// the same.
    let pagesAndDrafts: [Page]
    /// Files that are copied as they are, with their URLs.
    let assets: [(url: String, file: SourceTree.File)]
    private(set) var diagnostics: [Diagnostic] = []

    private let pagesByURL: [String: Int]
    private let pagesByPath: [String: Int]
    private let unpublishedReasons: [String: Page.UnpublishedReason]
    /// The URL of each file as it is spelled on disk: letters may be composed in two ways.
    private let assetURLs: [String: String]
    /// In lower case.
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

    func page(inFile path: String) -> Page? { pagesByPath[path].map { pages[$0] } }

    /// Why a page is not published, by its file or its URL without the slashes at both ends; `nil`
    /// where there is no such page, too.
    func unpublishedReason(of path: String) -> Page.UnpublishedReason? { unpublishedReasons[path] }

    /// The names of all files that are published for an author, in lower case, with the files that
    /// they come from.
    var authorsOutputs: [String: SourceTree.File] {
        let pages = pages.map { (($0.url + "index.html").lowercased(), $0.file) }
        return Dictionary(
            pages + assets.map { ($0.url.lowercased(), $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether a page or a file lies below a URL that ends with `/`, published or not.
    func hasFolder(at url: String) -> Bool { folders.contains(url.lowercased()) }

    /// The URL of a file that is copied as it is, as it is spelled on disk.
    func asset(at url: String) -> String? { assetURLs[url] }

    private mutating func checkFolders() {
        var spellings: [String: String] = [:]
        for (url, file) in pagesAndDrafts.map({ ($0.url, $0.file) }) + assets {
            var folder = url.hasSuffix("/") ? url : NavigationTree.parent(of: url)
            while folder != "/" {
                let known = spellings[folder.lowercased(), default: folder]
                spellings[folder.lowercased()] = known
                // Swift takes letters that are composed in two ways for one; a file system and a
                // rule do not.
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

    /// Refuses two outputs of one name, and names that differ in case alone.
    ///
    /// siteauth, and some file systems, take those for one.
    private mutating func checkOutputs() {
        var writers: [String: SourceTree.File] = [:]
        checkFolders()
        // With drafts: two files must not speak for the access of one URL either.
        for (url, file) in pagesAndDrafts.map({ ($0.url + "index.html", $0.file) }) + assets {
            if let mistake = SitePathName.mistake(url), !file.isMarkdown {
                diagnostics.append(
                    Diagnostic(.sourceFile, mistake, at: SourceLocation(file.displayPath))
                )
            }
            if let other = writers.updateValue(file, forKey: url.lowercased()) {
                let output = String(url.dropFirst())
                diagnostics.append(
                    Diagnostic(
                        .duplicateOutput,
                        "writes '\(output)', which '\(other.displayPath)' also writes",
                        at: SourceLocation(file.displayPath)
                    )
                )
            }
        }
    }

    /// Refuses a slug on a page that has a folder: `about.md` speaks for the folder `about`, and
    /// under another address what it closes would be open.
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
