import Access
import Diagnostics
import Rules
import Site
import SourceFolder

/// Reports pages and files of authors that have the URL of a generated page.
///
/// The author's page is published, with a warning: `search.md` may be about something else than the
/// search page.
enum ReplacedOutputs {
    static func diagnostics(in site: Site, _ tags: TagIndex) -> [Diagnostic] {
        let hasAddress = site.configuration.baseURL != nil
        let pages = [
            (SearchPage.url, "the search page", site.configuration.search),
            (TagIndex.url, "the list of tags", !tags.tags.isEmpty),
        ].compactMap { url, name, isMade in
            isMade ? site.page(at: url).map { ($0.file, url, name) } : nil
        }
        let made = [
            AtomFeed.url: "the feed", SitemapURLs.index: "the sitemap",
            SitemapURLs.robots: "the file for search engines",
        ]
        var assets = site.assets.compactMap { url, file in
            hasAddress ? made[url].map { (file, url, $0) } : nil
        }
        let list = AudienceFiles.listURL(.public)
        if site.configuration.copiesMarkdown {
            assets += site.assets.filter { $0.url == list }.map {
                ($0.file, list, "the list for programs")
            }
        }
        let replaced = (pages + assets).map { file, url, name in
            let message = "replaces '\(url)', \(name) that would be generated"
            return Diagnostic(.replacedOutput, message, at: SourceLocation(file.displayPath))
        }
        return replaced + errorPages(site)
    }

    /// Other tools show these pages for URLs that do not exist.
    private static func errorPages(_ site: Site) -> [Diagnostic] {
        let files =
            [site.page(at: "/404/")?.file].compactMap(\.self)
            + site.assets.filter { $0.url == "/404.html" }.map(\.file)
        return files.map { file in
            let message =
                "does not replace the page for URLs that do not exist; a template '404.html' does"
            return Diagnostic(.replacedOutput, message, at: SourceLocation(file.displayPath))
        }
    }
}
