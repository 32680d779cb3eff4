import Access
import Diagnostics

/// Who may read each page: what it says itself, or else what the folders above it say.
///
/// The policy's rules come from these sources, and from nowhere else. siteauth judges a path by the
/// rule with the longest path above it, so a rule speaks for all below it that has none of its own.
///
///     source          path                            audience
///     configuration   `/`                             `access` of sitegen.toml
///     a page          its URL; `/` for the first one  its `access`, where it is not inherited
///     an alias        its URL                         that of the page it leads to
///     search          the index of each audience      that audience
///     sitemap.xml     the pages' URLs in it           everybody
///
/// Two rules for one path contradict each other, and nothing is published.
struct PageAccess: Sendable {
    /// What siteauth will judge by.
    let policy: AccessPolicy
    private(set) var diagnostics: [Diagnostic] = []

    init(_ site: Site, _ redirects: Redirects) {
        let groups = site.configuration.groups
        var known = Rules(root: site.configuration.access)
        var rules = Self.rules(ofPagesIn: site, &known, &diagnostics)
        let authors = AccessPolicy(groups: groups, rules: rules) ?? Self.closed
        rules += Self.rules(of: redirects, site, known, authors, &diagnostics)
        let audiences = site.pages.compactMap { SitePath($0.url).flatMap(authors.audience(of:)) }
        rules += AudienceFiles.rules(site.configuration.search ? Set(audiences) : [], groups)
        rules += Sitemap.publicURLs(site).map { AccessPolicy.Rule(path: $0, audience: .public) }
        // Two rules for one path, or a path without a URL. The site reports those at their places;
        // should it miss one, nothing may be published all the same.
        let policy = AccessPolicy(groups: groups, rules: rules)
        // Findings about aliases are no reason: they can be lowered, and such an alias has no rule.
        if policy == nil, site.diagnostics.isEmpty {
            let message = "the access rules contradict each other"
            diagnostics.append(Diagnostic(.duplicateOutput, message, at: nil))
        }
        self.policy = policy ?? Self.closed
    }

    /// The rule of the configuration and those of pages; what they say is also noted in `known`.
    private static func rules(
        ofPagesIn site: Site,
        _ known: inout Rules,
        _ diagnostics: inout [Diagnostic]
    ) -> [AccessPolicy.Rule] {
        var rules = [AccessPolicy.Rule(path: "/", audience: site.configuration.access)]
        // Sorted by URL, so that what stands above a page was seen before it.
        for page in site.pagesAndDrafts {
            guard let audience = page.frontMatter.access else { continue }
            let inherited = known.inherited(page.url)
            if !audience.isSubset(of: inherited) {
                diagnostics += widening(page, audience, inherited, site)
            }
            known[page.url] = audience
            if page.url == "/" {
                rules[0] = AccessPolicy.Rule(path: "/", audience: audience)
            } else if audience != inherited {
                rules.append(AccessPolicy.Rule(path: page.url, audience: audience))
            }
        }
        return rules
    }

    private static func rules(
        of redirects: Redirects,
        _ site: Site,
        _ known: Rules,
        _ authors: AccessPolicy,
        _ diagnostics: inout [Diagnostic]
    ) -> [AccessPolicy.Rule] {
        var rules: [AccessPolicy.Rule] = []
        for redirect in redirects.all {
            let audience = known[redirect.target.url] ?? known.inherited(redirect.target.url)
            if SitePath(redirect.url).flatMap(authors.audience(of:)) != audience {
                diagnostics += shadow(redirect, audience, site)
            }
            // A line for each, that no alias above it speaks for this one too.
            if known[redirect.url] == nil {
                rules.append(AccessPolicy.Rule(path: redirect.url, audience: audience))
            }
        }
        return rules
    }

    /// Who may read what lies at `url`, which need not be a page.
    func audience(of url: String) -> Audience {
        SitePath(url).flatMap(policy.audience(of:)) ?? .groups([])
    }

    /// What authors said, by paths as siteauth compares them: a page must inherit from exactly the
    /// rule that will judge it.
    private struct Rules {
        private var audiences: [SitePath: Audience] = [:]
        private let root: Audience

        init(root: Audience) { self.root = root }

        subscript(url: String) -> Audience? {
            get { SitePath(url).flatMap { audiences[$0] } }
            set { if let path = SitePath(url) { audiences[path] = newValue } }
        }

        func inherited(_ url: String) -> Audience {
            var path = url
            while path != "/" {
                path = NavigationTree.parent(of: path)
                if let audience = self[path] { return audience }
            }
            return root
        }
    }

    private static func widening(
        _ page: Page,
        _ audience: Audience,
        _ inherited: Audience,
        _ site: Site
    ) -> [Diagnostic] {
        let location = page.frontMatter.accessLocation ?? SourceLocation(page.file.displayPath)
        guard page.frontMatter.widens else {
            let message =
                "access '\(audience)' is wider than the inherited access '\(inherited)'"
            let note = Diagnostic.Note(
                "if this is intended, add 'widens: true' to the front matter"
            )
            return [Diagnostic(.widenedAccess, message, at: location, notes: [note])]
        }
        // `about.md` also speaks for the folder `about`, which its author may not think of.
        let below = site.assets.map(\.file) + site.pagesAndDrafts.map(\.file)
        let folder = page.url.dropFirst()
        guard !SitePathName.isIndex(page.file.path),
            below.contains(where: { $0.path.hasPrefix(folder) })
        else { return [] }
        let message = "access '\(audience)' also applies to the folder '\(folder)' below this page"
        return [Diagnostic(.openedFolder, message, at: location)]
    }

    /// A rule holds for all that is below its path: an alias for other readers than its folder has
    /// must have nothing below.
    private static func shadow(
        _ redirect: Redirects.Redirect,
        _ audience: Audience,
        _ site: Site
    ) -> [Diagnostic] {
        let folder = redirect.url.hasSuffix("/") ? redirect.url : redirect.url + "/"
        guard site.hasFolder(at: folder) else { return [] }
        let message =
            "alias '\(redirect.url)' is for '\(audience)', which would also apply to everything below it"
        return [Diagnostic(.widenedAccess, message, at: redirect.location)]
    }

    private static var closed: AccessPolicy {
        guard let policy = AccessPolicy(groups: [], rules: []) else {
            preconditionFailure("a policy without rules is always valid")
        }
        return policy
    }
}
