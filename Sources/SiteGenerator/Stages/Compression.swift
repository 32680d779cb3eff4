import Access
import POSIX
import Rendering
import Site

/// Decides which files are also published compressed, for nginx's `gzip_static`.
struct Compression: Sendable {
    /// Text files only: images and documents are compressed already.
    static let endings = [".html", ".md", ".css", ".js", ".svg", ".json", ".xml", ".txt", ".csv"]

    private let access: PageAccess
    /// The paths of other files that end with `.gz`.
    private let taken: Set<String>

    /// `nil` for a site without compressed copies.
    init?(_ model: SiteModel, _ listings: SiteListings, _ options: BuildOptions) {
        guard model.site.configuration.precompresses, options.compresses else { return nil }
        access = model.access
        let urls = model.site.assets.map(\.url) + listings.generated.map(\.path)
        taken = Set(urls.filter { $0.hasSuffix(".gz") }.map { "site\($0)" })
    }

    /// Whether a file gets a compressed copy beside it.
    ///
    /// The copy has a URL of its own, `page.gz`, that anybody may ask for. If an access rule
    /// applies to the one URL only, the copy would be judged by the rule above it, so it is not
    /// made.
    func covers(_ path: String) -> Bool {
        guard Self.endings.contains(where: path.hasSuffix), !taken.contains(path + ".gz")
        else { return false }
        if path.hasPrefix(Theme.folder) { return true }
        let root = "site/"
        guard path.hasPrefix(root) else { return false }
        var url = "/" + path.dropFirst(root.count)
        let compressed = access.audience(of: url + ".gz")
        if url.hasSuffix("/index.html") {
            // nginx asks siteauth about the URL of the folder.
            if access.audience(of: url) != compressed { return false }
            url.removeLast("index.html".count)
        }
        return access.audience(of: url) == compressed
    }
}
