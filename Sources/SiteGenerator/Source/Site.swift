import Access
import Diagnostics

/// All pages and files of a site, found by where they lie and by their URLs.
struct Site: Sendable {
    let configuration: SiteConfiguration
    /// Sorted by URL, without drafts.
    let pages: [Page]
    /// With drafts: a draft is not published, and its `access` holds for its folder all the same.
    let pagesAndDrafts: [Page]
    /// Files that are copied as they are, with their URLs.
    let assets: [(url: String, file: SourceTree.File)]
    private(set) var diagnostics: [Diagnostic] = []

    private let pagesByURL: [String: Int]
    private let pagesByPath: [String: Int]
    private let drafts: Set<String>
    private let assetURLs: Set<String>

    init(_ configuration: SiteConfiguration, pages read: [Page], assets files: [SourceTree.File]) {
        self.configuration = configuration
        pagesAndDrafts = read.sorted { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
        let pages = pagesAndDrafts.filter { !$0.frontMatter.isDraft }
        self.pages = pages
        drafts = Set(read.filter(\.frontMatter.isDraft).map(\.file.path))
        assets = files.map { ("/" + $0.path, $0) }
        assetURLs = Set(assets.map(\.url))
        pagesByURL = Dictionary(
            pages.indices.map { (pages[$0].url, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        pagesByPath = Dictionary(
            pages.indices.map { (pages[$0].file.path, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        checkOutputs()
    }

    func page(at url: String) -> Page? { pagesByURL[url].map { pages[$0] } }

    func page(inFile path: String) -> Page? { pagesByPath[path].map { pages[$0] } }

    func isDraft(_ path: String) -> Bool { drafts.contains(path) }

    func hasAsset(at url: String) -> Bool { assetURLs.contains(url) }

    private mutating func checkFolders() {
        var spellings: [String: String] = [:]
        for (url, file) in pagesAndDrafts.map({ ($0.url, $0.file) }) + assets {
            var folder = url.hasSuffix("/") ? url : NavigationTree.parent(of: url)
            while folder != "/" {
                let known = spellings[folder.lowercased(), default: folder]
                spellings[folder.lowercased()] = known
                if known != folder {
                    let message = "'\(folder)' and '\(known)' differ only in case"
                    diagnostics.append(
                        Diagnostic(.duplicateOutput, message, at: Place(file.displayPath))
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
                    Diagnostic(.sourceFile, mistake, at: Place(file.displayPath))
                )
            }
            if let other = writers.updateValue(file, forKey: url.lowercased()) {
                let output = String(url.dropFirst())
                diagnostics.append(
                    Diagnostic(
                        .duplicateOutput,
                        "writes '\(output)', as '\(other.displayPath)' does",
                        at: Place(file.displayPath)
                    )
                )
            }
        }
    }
}
