import Access
import Site

extension Redirects {
    /// Lines for nginx's `map $uri`: the redirects to public pages.
    ///
    /// nginx answers these redirects before it asks siteauth. A redirect to another page would tell
    /// everybody its new URL, so others are pages, which are protected.
    func map(_ access: PageAccess) -> String {
        var lines = ""
        for redirect in all where access.audience(of: redirect.target.url) == .public {
            for url in Set([redirect.url, Self.withoutSlash(redirect.url)]).sorted()
            where url.utf8.count <= RedirectLine.maximumBytes {
                lines += RedirectLine.text(from: url, to: redirect.target.url)
            }
        }
        return lines
    }

    private static func withoutSlash(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
