import Access
import HTML
import Site
import SourceFolder

/// `sitemap.xml` and `robots.txt`, for search engines, which never sign in.
///
/// Both are public and list only public pages. If no page is public, `robots.txt` disallows
/// everything.
struct Sitemap: Sendable {
    let files: [GeneratedFile]

    init(_ site: Site, _ navigation: Navigation) {
        let wanted = Set(SitemapURLs.all(site))
        guard let base = site.configuration.baseURL, !wanted.isEmpty else {
            files = []
            return
        }
        let pages = navigation.view(for: .public).order
        var texts: [(url: String, text: String)] = []
        if pages.isEmpty {
            texts = [(SitemapURLs.robots, "User-agent: *\nDisallow: /\n")]
        } else {
            let robots = "User-agent: *\nDisallow: /auth/\n\nSitemap: \(base)\(SitemapURLs.index)\n"
            texts = [(SitemapURLs.robots, robots)] + Self.maps(pages, base)
        }
        files = texts.filter { wanted.contains($0.url) }.map { url, text in
            GeneratedFile(
                url: url,
                readers: .public,
                name: "'\(url)'",
                .bytes(Array(text.utf8))
            )
        }
    }

    private static func maps(_ pages: [ListedPage], _ base: String) -> [(String, String)] {
        let parts = stride(from: 0, to: pages.count, by: SitemapURLs.size).map { start in
            map(pages[start..<min(start + SitemapURLs.size, pages.count)], base)
        }
        if parts.count == 1 { return parts.map { (SitemapURLs.index, $0) } }
        let links = parts.indices.map {
            "<sitemap><loc>\(base)\(SitemapURLs.part($0 + 1))</loc></sitemap>\n"
        }
        let index = """
            <?xml version="1.0" encoding="utf-8"?>
            <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
            \(links.joined())</sitemapindex>

            """
        return [(SitemapURLs.index, index)]
            + parts.enumerated().map { (SitemapURLs.part($0 + 1), $1) }
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
