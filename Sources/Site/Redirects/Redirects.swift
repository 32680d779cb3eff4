import Access
import Diagnostics

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
                guard let url = Self.url(alias, on: page) else {
                    let message = "alias '\(alias)' points outside the site"
                    diagnostics.append(Diagnostic(.alias, message, at: location, subject: alias))
                    continue
                }
                if let mistake = SitePathName.mistake(url) {
                    let message = "alias '\(alias)': \(mistake)"
                    diagnostics.append(Diagnostic(.alias, message, at: location, subject: alias))
                    continue
                }
                // The home page and a generated list both have the rule of the whole site.
                if url == "/" {
                    let home = site.page(at: "/").map { "'\($0.file.displayPath)'" }
                    let message = "alias '\(alias)' is the URL of \(home ?? "the home page")"
                    diagnostics.append(Diagnostic(.alias, message, at: location, subject: alias))
                    continue
                }
                let redirect = Redirect(url: url, target: page, location: location)
                if let other = seen[url.lowercased()] {
                    let message = "alias '\(alias)' is also an alias of '\(other.target.file.path)'"
                    diagnostics.append(Diagnostic(.alias, message, at: location, subject: alias))
                    continue
                }
                seen[url.lowercased()] = redirect
                all.append(redirect)
            }
        }
        all.sort { $0.url < $1.url }
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
