import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

@Suite struct ReturnPathTests {
    /// Hostile inputs HR-01 to HR-14: open-redirect payloads of the advisories of oauth2-proxy,
    /// mod_auth_openidc, Authelia and Microsoft.Identity.Web.
    static let hostile = [
        "//evil.com", "///evil.com", "////evil.com", "//evil.com/%2e%2e", "//evil.com//",
        "/\\evil.com", "\\/evil.com", "\\\\evil.com", "/\\/evil.com", "/\\\\evil.com",
        "/\t/evil.com", "/\n/evil.com", "/\r/evil.com", "/\u{b}/evil.com", "/\u{c}/evil.com",
        "/ /evil.com", "/\t\\evil.com", "\t//evil.com", " //evil.com", "\n//evil.com",
        "/%09/evil.com", "/%0a/evil.com", "/%0d/evil.com", "/%5cevil.com", "/%2f%2fevil.com",
        "/%2Fevil.com", "/%5Cevil.com", "/%2f%5c%2f%67", "/./\\evil.com", "/../\\evil.com",
        "/.//evil.com", "/..//evil.com", "/./../../\\evil.com", "/;@evil.com//", "////\\;@evil.com",
        "https:evil.com", "http:evil.com", "https:/evil.com", "https:///evil.com",
        "HtTpS://evil.com", "/https://evil.com", "@evil.com", ".evil.com", ":80@evil.com",
        ":pw@evil.com", "https://ours.example@evil.com", "https://evil.com#@ours.example",
        "javascript:alert(1)", "data:text/html;base64,x", "\";alert(0);//", "/\r\nSet-Cookie: s=1",
        "/%0d%0aLocation:%20https://evil.com", "/x%0d%0a%0d%0a<script>", "/%00//evil.com",
        "/\0", "/%ff%fe", "/%c0%af%c0%afevil.com", "/%", "/%zz", "/%u002f", "/%2500",
        "/%252f%252fe",
        "/%25252e%25252e%25252f", "/auth/sign-out", "/%61uth/sign-out", "/%2561uth/sign-out",
        "/auth/callback?code=x", "/auth", "/AUTH/me",
        "/auth/sign-in?return=/auth/sign-in", "", "evil", "/..", "/../x", "/a/../b", "/a/./b",
        "/auth//sign-out", "/auth%2F%2Fsign-out", "/auth//callback", "/a/%252e%252e/b", "/a/..;x/b",
        "/%25/../x", "/a%3F/../b", "/%2525252525", "/auth/%CC%81x", "/auth/\u{301}x", "/auth ",
        "/auth/account ", "/auth?\u{301}x",
        "/auth/callback?\u{301}", "/auth/callback#\u{301}", "/auth/callback%23%CC%81",
        "/" + String(repeating: "a", count: 8192),
    ]

    @Test(arguments: hostile)
    func `what is not plainly a path of ours becomes the first page`(wanted: String) {
        #expect(ReturnPath.sanitize(wanted, callbackPath: "/auth/callback") == "/")
    }

    @Test(arguments: [
        "/", "/hr/", "/hr/leave/?year=2026&a=b%26c", "/a?next=//evil.com", "/caf%C3%A9/",
        "/a%20b/", "/auth/account", "/authors/", "/x?q=a/../b",
        "/caf\u{e9}/", "/\u{301}x/", "/auth\u{301}/", "/a b/?c=d",
        "/files//paper.pdf", "/files///", "/wiki/100%25", "/wiki/100%25/x?y=%",
        "/wiki/job/feature%252Fx",
        "/wiki/a%2Fb", "/wiki/a%2fb", "/wiki/%e4%Bd%A0", "/wiki/C%23", "/wiki/What%3F", "/x;a=b/y",
        "/wiki/https://example.com/", "/x?path=C:\\temp", "/x?%zz", "/x?a=%2500",
        "/x?return=//evil.com",
        "/" + String(repeating: "a", count: ReturnPath.maximumLength - 1),
    ])
    func `a path of ours stays as it is, query included`(wanted: String) {
        #expect(ReturnPath.sanitize(wanted, callbackPath: "/auth/callback") == wanted)
    }

    @Test func `no path at all is the first page, and the callback is no page`() {
        #expect(ReturnPath.sanitize(nil, callbackPath: "/getAToken") == "/")
        #expect(ReturnPath.sanitize("/getAToken?code=1", callbackPath: "/getAToken") == "/")
    }

    /// The browser is there already, so it may be anything but another host.
    @Test(arguments: [
        ("/a/../b", true), ("/%ff", true), ("/" + String(repeating: "a", count: 8000), true),
        ("/", true), ("/%25252525", true), ("", false), ("//evil.com", false),
        ("/\\evil.com", false), ("evil", false), ("/a\r\nX: y", false), ("/\t/evil.com", false),
    ])
    func `a redirect to the same address leads to no other`(wanted: String, isKept: Bool) {
        #expect(ReturnPath.unchanged(wanted) == (isKept ? wanted : nil))
    }
}
