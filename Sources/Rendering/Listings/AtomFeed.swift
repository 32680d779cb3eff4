import Access
import HTML
import Site
import SourceFolder

/// `feed.xml`: the newest pages that all readers of the feed may read (RFC 4287).
struct AtomFeed: Sendable {
    static let url = "/feed.xml"
    private static let size = 20

    let readers: Audience
    let files: [GeneratedFile]

    /// A feed is generated if the site has a `base_url` and a page has a date.
    init(_ site: Site, _ access: PageAccess, _ navigation: Navigation) {
        let readers = access.audience(of: Self.url)
        self.readers = readers
        guard let base = site.configuration.baseURL, site.asset(at: Self.url) == nil else {
            files = []
            return
        }
        let newest = PagedList.recent(navigation.view(for: readers).order).prefix(Self.size)
            .compactMap { page in (page.updated ?? page.date).map { (date: $0, page: page) } }
        guard let first = newest.first else {
            files = []
            return
        }
        var xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
            <title>\(XMLText.escape(site.configuration.title))</title>
            <id>\(base)/</id>
            <link href="\(base)/"/>
            <link rel="self" href="\(base)\(Self.url)"/>
            <author><name>\(XMLText.escape(site.configuration.title))</name></author>
            <updated>\(first.date.timestamp)</updated>

            """
        for (date, page) in newest { xml += Self.entry(page, date, base) }
        let bytes = Array((xml + "</feed>\n").utf8)
        files = [GeneratedFile(url: Self.url, readers: readers, name: "the feed", .bytes(bytes))]
    }

    private static func entry(_ page: ListedPage, _ date: PageDate, _ base: String) -> String {
        let url = base + HTMLText.escapeURL(SitePathName.encode(page.url))
        var xml = "<entry>\n<title>\(XMLText.escape(page.title))</title>\n"
        xml += "<id>\(url)</id>\n<link href=\"\(url)\"/>\n<updated>\(date.timestamp)</updated>\n"
        if let date = page.date { xml += "<published>\(date.timestamp)</published>\n" }
        if let text = page.description { xml += "<summary>\(XMLText.escape(text))</summary>\n" }
        return xml + "</entry>\n"
    }
}
