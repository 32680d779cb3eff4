import Access
import Markdown

/// `sitemap.xml` and `robots.txt`, for search engines, which never sign in.
///
/// Both are public and list only public pages. If no page is public, `robots.txt` disallows
/// everything.
struct Sitemap: Sendable {
    static let url = "/sitemap.xml"
    static let robotsURL = "/robots.txt"
    /// The maximum number of URLs in one file (sitemaps.org).
    private static let size = 50_000

    let files: [GeneratedFile]

    /// The URLs of these files, which must be public; none without a `base_url`.
    static func publicURLs(_ site: Site) -> [String] {
        guard site.configuration.baseURL != nil else { return [] }
        let parts = (site.pages.count + size - 1) / size
        let further = parts > 1 ? (1...parts).map { partURL($0) } : []
        return ([robotsURL, url] + further).filter { site.asset(at: $0) == nil }
    }

    init(_ site: Site, _ navigation: Navigation) {
        let wanted = Set(Self.publicURLs(site))
        guard let base = site.configuration.baseURL, !wanted.isEmpty else {
            files = []
            return
        }
        let pages = navigation.view(for: .public).order
        var texts: [(url: String, text: String)] = []
        if pages.isEmpty {
            texts = [(Self.robotsURL, "User-agent: *\nDisallow: /\n")]
        } else {
            let robots = "User-agent: *\nDisallow: /auth/\n\nSitemap: \(base)\(Self.url)\n"
            texts = [(Self.robotsURL, robots)] + Self.maps(pages, base)
        }
        files = texts.filter { wanted.contains($0.url) }.map { url, text in
            let bytes = Array(text.utf8)
            return GeneratedFile(url: url, readers: .public, name: "'\(url)'") { _ in bytes }
        }
    }

    private static func partURL(_ number: Int) -> String { "/sitemap-\(number).xml" }

    private static func maps(_ pages: [ListedPage], _ base: String) -> [(String, String)] {
        let parts = stride(from: 0, to: pages.count, by: size).map { start in
            map(pages[start..<min(start + size, pages.count)], base)
        }
        if parts.count == 1 { return parts.map { (url, $0) } }
        let links = parts.indices.map {
            "<sitemap><loc>\(base)\(partURL($0 + 1))</loc></sitemap>\n"
        }
        let index = """
            <?xml version="1.0" encoding="utf-8"?>
            <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            \(links.joined())</sitemapindex>

            """
        return [(url, index)] + parts.enumerated().map { (partURL($0 + 1), $1) }
    }

    private static func map(_ pages: ArraySlice<ListedPage>, _ base: String) -> String {
        var xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">

            """
        for page in pages {
            xml += "<url><loc>\(base)\(HTMLText.escapeURL(SitePathName.encode(page.url)))</loc>"
            if let date = page.updated ?? page.date {
                xml += "<lastmod>\(date.text)</lastmod>"
            }
            xml += "</url>\n"
        }
        return xml + "</urlset>\n"
    }
}
