import Access
import HTML
import Site
import SourceFolder

/// `feed.xml`: the newest pages that all readers of the feed may read (RFC 4287); of the site, or of
/// a list that is sorted by date.
struct AtomFeed: Sendable {
    /// The URL of the site's feed.
    static let url = "/feed.xml"
    private static let size = 20

    let url: String
    let readers: Audience
    private(set) var files: [GeneratedFile] = []

    /// A feed is generated if the site has a `base_url` and a page has a date.
    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        url = Self.url
        readers = access.audience(of: url)
        if site.configuration.baseURL == nil { return }
        let newest = PagedList.recent(navigation.view(for: readers).order)
        write(newest, site.configuration.title, of: "/", site)
    }

    /// - Returns: `nil` if there is nothing to tell, or not to the readers of the list.
    init?(of list: PagedList, _ site: Site, _ access: PageAccess) {
        url = list.url + Self.url.dropFirst()
        readers = access.audience(of: url)
        guard readers == list.readers else { return nil }
        let title = "\(list.title) · \(site.configuration.title)"
        write(list.entries, title, of: list.url, site)
        if files.isEmpty { return nil }
    }

    private mutating func write(
        _ pages: [ListedPage],
        _ title: String,
        of page: String,
        _ site: Site
    ) {
        guard let base = site.configuration.baseURL, site.asset(at: url) == nil else { return }
        let newest = pages.compactMap { page in
            (page.updated ?? page.date).map { (date: $0, page: page) }
        }.prefix(Self.size)
        guard let last = newest.max(by: { $0.date.seconds < $1.date.seconds })?.date else { return }
        let home = Self.address(page, base)
        var xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <title>\(XMLText.escape(title))</title>
            <id>\(home)</id>
            <link href="\(home)"/>
            <link rel="self" href="\(Self.address(url, base))"/>
            <author><name>\(XMLText.escape(site.configuration.title))</name></author>
            <updated>\(last.timestamp)</updated>

            """
        for (date, page) in newest { xml += Self.entry(page, date, base) }
        let name = page == "/" ? "the feed" : "the feed of '\(page)'"
        let bytes = Array((xml + "</feed>\n").utf8)
        files = [GeneratedFile(url: url, readers: readers, name: name, .bytes(bytes))]
    }

    private static func address(_ url: String, _ base: String) -> String {
        base + HTMLText.escapeURL(SitePathName.encode(url))
    }

    private static func entry(_ page: ListedPage, _ date: PageDate, _ base: String) -> String {
        let url = address(page.url, base)
        var xml = "<entry>\n<title>\(XMLText.escape(page.title))</title>\n"
        xml += "<id>\(url)</id>\n<link href=\"\(url)\"/>\n<updated>\(date.timestamp)</updated>\n"
        if let date = page.date { xml += "<published>\(date.timestamp)</published>\n" }
        if let text = page.excerpt { xml += "<summary>\(XMLText.escape(text))</summary>\n" }
        return xml + "</entry>\n"
    }
}
