import Access
import Diagnostics

/// Who may read each page: what it says itself, or else what the folders above it say.
struct PageAccess: Sendable {
    /// What siteauth will judge by.
    let policy: AccessPolicy
    private(set) var diagnostics: [Diagnostic] = []

    init(_ site: Site) {
        var rules = [AccessPolicy.Rule(path: "/", audience: site.configuration.access)]
        var known = ["/": site.configuration.access]
        // Sorted by URL, so that what stands above a page was seen before it.
        for page in site.pages {
            guard let audience = page.frontMatter.access else { continue }
            let inherited = Self.inherited(page.url, known)
            if !audience.isWithin(inherited), !page.frontMatter.widens {
                diagnostics.append(Self.widening(page, audience, inherited))
            }
            known[page.url] = audience
            if page.url == "/" {
                rules[0] = AccessPolicy.Rule(path: "/", audience: audience)
            } else if audience != inherited {
                rules.append(AccessPolicy.Rule(path: page.url, audience: audience))
            }
        }
        let groups = site.configuration.groups
        // A policy is refused for a path with no rule or two; the site has reported those.
        policy = AccessPolicy(groups: groups, rules: rules) ?? Self.closed
    }

    /// Who may read what lies at `url`, which need not be a page.
    func audience(of url: String) -> Audience {
        SitePath(url).flatMap(policy.audience(of:)) ?? .groups([])
    }

    private static func inherited(_ url: String, _ known: [String: Audience]) -> Audience {
        var path = url
        while path != "/" {
            let slash = path.dropLast().lastIndex(of: "/") ?? path.startIndex
            path = String(path[...slash])
            if let audience = known[path] { return audience }
        }
        return known["/"] ?? .groups([])
    }

    private static func widening(
        _ page: Page,
        _ audience: Audience,
        _ inherited: Audience
    ) -> Diagnostic {
        Diagnostic(
            .error,
            "access '\(audience)' is wider than '\(inherited)', which this page inherits",
            at: page.frontMatter.accessPlace ?? Place(page.file.displayPath),
            notes: [.init("'widens: true' beside it says that this is meant")]
        )
    }

    private static var closed: AccessPolicy {
        guard let policy = AccessPolicy(groups: [], rules: []) else {
            preconditionFailure("a policy without rules has none to refuse")
        }
        return policy
    }
}
