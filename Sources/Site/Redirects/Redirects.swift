import Access
import Diagnostics
import Rules
import SourceFolder

/// The redirects from aliases, which are old URLs of pages.
package struct Redirects: Sendable {
    package struct Redirect: Sendable {
        /// The URL, which ends with `/` or `.html`.
        package let url: String
        package let target: Page
        package let location: SourceLocation
    }

    /// Sorted by URL.
    package private(set) var all: [Redirect] = []
    package private(set) var diagnostics: [Diagnostic] = []

    package init(_ site: Site) {
        var seen: [String: Redirect] = [:]
        for page in site.pages {
            for (alias, location) in page.frontMatter.aliases {
                add(alias, location, of: page, site, &seen, isName: Self.isName(alias))
            }
            if let (alias, location) = page.frontMatter.permalink {
                add(alias, location, of: page, site, &seen, isName: false, isWarning: true)
            }
        }
        all.sort { $0.url < $1.url }
    }

    /// - Parameters:
    ///   - isName: whether the alias may be a name of the page instead of a URL.
    ///   - isWarning: whether a URL that is taken is no error.
    private mutating func add(
        _ alias: String,
        _ location: SourceLocation,
        of page: Page,
        _ site: Site,
        _ seen: inout [String: Redirect],
        isName: Bool,
        isWarning: Bool = false
    ) {
        func report(_ problem: String, isWarning: Bool = isWarning) {
            // Names of pages need not be distinct.
            if isName { return }
            let message = "alias '\(alias)'\(problem)"
            var diagnostic = Diagnostic(.alias, message, at: location, subject: alias)
            if isWarning { diagnostic.severity = .warning }
            diagnostics.append(diagnostic)
        }
        guard let url = Self.url(alias, on: page) else { return report(" points outside the site") }
        if url == page.url { return }
        if url.lowercased() == page.url.lowercased() {
            return report(" differs only in case from the URL of this page", isWarning: true)
        }
        if let mistake = SitePathName.mistake(url) { return report(": \(mistake)") }
        let output = (url.hasSuffix("/") ? url + "index.html" : url).lowercased()
        if let author = site.author(ofOutput: output) {
            return report(" is the URL of '\(author.displayPath)'")
        }
        // The home page and a generated list both have the rule of the whole site.
        if url == "/" { return report(" is the URL of the home page") }
        if let other = seen[url.lowercased()] {
            if other.target.url == page.url { return }
            return report(" is also an alias of '\(other.target.file.path)'")
        }
        let redirect = Redirect(url: url, target: page, location: location)
        seen[url.lowercased()] = redirect
        all.append(redirect)
    }

    /// Whether an alias is a name, as in Obsidian, and perhaps a URL as well.
    private static func isName(_ alias: String) -> Bool {
        !alias.contains("/") && !alias.hasSuffix(".html")
    }

    /// Normalises an alias: `/old`, `/old/`, `/old/index.html` and, relative to the page, `old`
    /// become `/old/`; `/old.html` stays unchanged.
    private static func url(_ alias: String, on page: Page) -> String? {
        let base = alias.hasPrefix("/") ? "/" : SitePathName.parent(of: page.url)
        var segments = base.split(separator: "/")
        for segment in alias.split(separator: "/") {
            if segment == ".." {
                if segments.popLast() == nil { return nil }
            } else if segment != "." {
                segments.append(segment)
            }
        }
        if alias.contains("://") { return nil }
        if segments.last == "index.html" { segments.removeLast() }
        if segments.isEmpty { return "/" }
        let isFile = segments.last?.hasSuffix(".html") == true
        return "/" + segments.joined(separator: "/") + (isFile ? "" : "/")
    }
}
