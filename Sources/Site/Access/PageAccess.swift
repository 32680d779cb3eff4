import Access
import Diagnostics
import Rules
import SourceFolder

/// Who may read each page: the page's own `access`, or else that of the folders above it.
///
/// All rules of the policy come from these sources. siteauth judges a path by the rule with the
/// longest path above it, so a rule also applies to everything below its path that has no rule of
/// its own.
///
///     source          path                            audience
///     configuration   `/`                             `access` of sitegen.toml
///     a page          its URL; `/` for the home page  its `access`, if it differs from the inherited
///     an alias        its URL                         that of its target
///     audience files  `/_reader/…`, `/_search/…`      the audience they are made for, or nobody
///     for programs    `/llms.txt`                     everybody
///     site with URL   `/robots.txt`, `/sitemap.xml`   everybody
///
/// Two rules for one path contradict each other, and then nothing is published.
package struct PageAccess: Sendable {
    /// The rules that siteauth enforces.
    package let policy: AccessPolicy
    package private(set) var diagnostics: [Diagnostic] = []
    /// The rules of the configuration and of pages alone.
    ///
    /// They say who may read a file that is not published: an alias of another page, which anybody may
    /// write who writes a page, opens no folder.
    private let authors: AccessPolicy

    package init(_ site: Site, _ redirects: Redirects) {
        let groups = site.configuration.groups
        var known = Rules(root: site.configuration.access)
        var rules = Self.rules(ofPagesIn: site, &known, &diagnostics)
        let authors = AccessPolicy(groups: groups, rules: rules) ?? Self.closed
        rules += Self.rules(of: redirects, site, known, authors, &diagnostics)
        let audiences = site.configuration.search ? Self.audiences(of: site.pages, authors) : []
        rules += AudienceFiles.rules(audiences, groups)
        if site.configuration.copiesMarkdown {
            rules += AudienceFiles.readers(groups).map { readers in
                AccessPolicy.Rule(path: AudienceFiles.listURL(readers), audience: readers)
            }.filter { site.asset(at: $0.path) == nil }
        }
        rules += SitemapURLs.all(site).map { AccessPolicy.Rule(path: $0, audience: .public) }
        // `nil` for two rules with one path, or for a path without a URL. `Site` and `Redirects`
        // report both with their locations; should they miss one, the build must still fail.
        let policy = AccessPolicy(groups: groups, rules: rules)
        // Findings about aliases do not count here: they can be lowered to warnings, and such an
        // alias has no rule.
        if policy == nil, site.diagnostics.isEmpty {
            diagnostics.append(Self.contradiction(rules, redirects))
        }
        self.policy = policy ?? Self.closed
        self.authors = authors
    }

    private static func audiences(of pages: [Page], _ policy: AccessPolicy) -> Set<Audience> {
        var audiences: Set<Audience> = []
        // Neighbours mostly have the same one.
        var last: Audience?
        for page in pages {
            let audience = SitePath(page.url).flatMap(policy.audience(of:))
            if let audience, audience != last { audiences.insert(audience) }
            last = audience
        }
        return audiences
    }

    /// Two rules with one path: those of an alias and of a generated file, unless we overlooked
    /// other ones.
    private static func contradiction(_ rules: [AccessPolicy.Rule], _ redirects: Redirects)
        -> Diagnostic
    {
        var seen: Set<SitePath> = []
        let twice = rules.compactMap { SitePath($0.path) }.filter { !seen.insert($0).inserted }
        for redirect in redirects.all {
            guard let path = SitePath(redirect.url), twice.contains(path) else { continue }
            let message = "alias '\(redirect.url)' is the URL of a generated file"
            return Diagnostic(.duplicateOutput, message, at: redirect.location)
        }
        return Diagnostic(.duplicateOutput, "the access rules contradict each other", at: nil)
    }

    /// The rule of the configuration and the rules of pages.
    ///
    /// The access of each page is also recorded in `known`.
    private static func rules(
        ofPagesIn site: Site,
        _ known: inout Rules,
        _ diagnostics: inout [Diagnostic]
    ) -> [AccessPolicy.Rule] {
        var rules = [AccessPolicy.Rule(path: "/", audience: site.configuration.access)]
        // Sorted by URL, so that the pages above a page come before it.
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
            // Each alias gets a rule of its own, so that the rule of an alias above it does not
            // apply.
            if known[redirect.url] == nil {
                rules.append(AccessPolicy.Rule(path: redirect.url, audience: audience))
            }
        }
        return rules
    }

    /// Who may read the file at `url`, which need not be a page.
    package func audience(of url: String) -> Audience {
        SitePath(url).flatMap(policy.audience(of:)) ?? .nobody
    }

    /// Who may read the text of a file at `url`, by what authors wrote about its folders.
    package func authorsAudience(of url: String) -> Audience {
        SitePath(url).flatMap(authors.audience(of:)) ?? .nobody
    }

    /// The access that authors wrote, by paths as siteauth compares them: a page must inherit from
    /// exactly the rule that siteauth will apply.
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
                path = SitePathName.parent(of: path)
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
        // The rule of `about.md` also applies to the folder `about`, which its author may have
        // forgotten.
        let below = site.assets.map(\.file) + site.pagesAndDrafts.map(\.file)
        let folder = page.url.dropFirst()
        guard !page.file.isIndex,
            below.contains(where: { $0.path.hasPrefix(folder) })
        else { return [] }
        let message = "access '\(audience)' also applies to the folder '\(folder)' below this page"
        return [Diagnostic(.openedFolder, message, at: location)]
    }

    /// Reports an alias whose readers differ from those of its folder and that has something below
    /// it: the rule of the alias would apply there, too.
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
