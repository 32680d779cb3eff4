/// The URLs of the files for search engines, which never sign in.
package enum SitemapURLs {
    package static let index = "/sitemap.xml"
    package static let robots = "/robots.txt"
    /// The maximum number of URLs in one file (sitemaps.org).
    package static let size = 50_000

    package static func part(_ number: Int) -> String { "/sitemap-\(number).xml" }

    /// The files of a site, which must be public; none without a `base_url`.
    package static func all(_ site: Site) -> [String] {
        guard site.configuration.baseURL != nil else { return [] }
        let parts = (site.pages.count + size - 1) / size
        let further = parts > 1 ? (1...parts).map { part($0) } : []
        return ([robots, index] + further).filter { site.asset(at: $0) == nil }
    }
}
