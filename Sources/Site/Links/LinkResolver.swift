import Access
import Diagnostics
import HTML
import Markdown
import Rules
import SourceFolder

/// Resolves the links and images of a page, and reports those whose target is missing.
package struct LinkResolver: Sendable {
    package let site: Site
    package let access: PageAccess
    package let images: ImageSizes
    /// Whether links to other sites are collected, to be checked.
    let collectsExternalLinks: Bool
    let nearby: FileSuggestions
    let anchors = AnchorIndex()
    /// The targets of aliases, by the URLs of the aliases.
    private let aliases: [String: Page]
    private let wikiNames: WikiNames
    private let places: LinkPlaces
    /// The names of all `r[name]` markers.
    private let markers: Set<String>

    /// - Parameters:
    ///   - generated: the URLs of generated files.
    ///   - images: those of the same files; `nil` to read them.
    package init(
        _ sources: SiteSources,
        _ model: SiteModel,
        _ generated: Set<String>,
        _ options: BuildOptions,
        images: ImageSizes? = nil
    ) async {
        site = model.site
        access = model.access
        self.images = if let images { images } else { await ImageSizes(site) }
        collectsExternalLinks = options.checks.externalLinks != nil
        nearby = FileSuggestions(site, ignored: sources.tree.ignored)
        aliases = Dictionary(
            model.redirects.all.map { ($0.url, $0.target) },
            uniquingKeysWith: { first, _ in first }
        )
        wikiNames = WikiNames(site)
        places = LinkPlaces(site, generated: generated)
        markers = Set(site.pages.flatMap(\.document.markers))
    }

    package struct Resolution: Sendable {
        /// The URL of each reference of the page, escaped for an attribute.
        package var urls: [String] = []
        /// The URLs of other pages to which the page links.
        package var pages: Set<String> = []
        /// The URLs of files to which the page links, or which it shows.
        package var files: Set<String> = []
        package var externalLinks: [ExternalLink] = []
        package var diagnostics: [Diagnostic] = []
        /// How many names may still be compared for suggestions: a page with many dead links and
        /// many neighbours would otherwise take minutes.
        var budget = 5000
        /// Links in the syntax of other tools.
        var foreignLinks: [(construct: ForeignConstruct, location: SourceLocation)] = []
    }

    package func resolve(_ page: Page) -> Resolution {
        var resolution = Resolution()
        let audience = access.audience(of: page.url)
        /// The URL of the page to which the link before leads.
        var linked: String?
        for reference in page.document.references {
            let destination = reference.destination
            if reference.kind == .title {
                // Only readers who may open the page see its title.
                let other = linked.flatMap { site.page(at: $0) }
                let isKnown = other.map { audience.isSubset(of: access.audience(of: $0.url)) }
                let title = isKnown == true ? other.map { HTMLText.escape($0.title) } : nil
                resolution.urls.append(title ?? destination)
                continue
            }
            linked = nil
            let location = page.location(reference.range)
            let written =
                named(reference, on: page, location, &resolution)
                ?? OwnAddress.path(of: destination, origin: site.configuration.baseURL)
                ?? destination
            if reference.kind == .htmlDocument {
                resolution.urls.append("")
                let message = "'srcdoc' is removed, because the document in it is not checked"
                resolution.diagnostics.append(Diagnostic(.dangerousLink, message, at: location))
                continue
            }
            if site.configuration.ignoredLinks.contains(where: {
                written.hasPrefix($0) || destination.hasPrefix($0)
            }), !HTMLText.isDangerous(written) {
                resolution.urls.append(HTMLText.escapeURL(written))
                continue
            }
            let bases = page.linkBases(at: reference.range)
            let target = LinkTarget(written, in: bases.first)
            switch target {
            case .external(let url):
                resolution.urls.append(filling(HTMLText.escapeURL(url), reference, url))
                if [.image, .htmlSource].contains(reference.kind), !url.hasPrefix("data:") {
                    let message =
                        "'\(url)' is not shown: the shipped Content-Security-Policy admits files of"
                        + " this site only; save it beside the page"
                    resolution.diagnostics.append(
                        Diagnostic(.unsuitableImage, message, at: location, subject: url)
                    )
                }
                if collectsExternalLinks {
                    resolution.externalLinks.append(ExternalLink(url: url, location: location))
                }
            case .programPath:
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                resolution.foreignLinks.append((.programPath, location))
            case .inside(let inside) where namesMarker(inside):
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                resolution.foreignLinks.append((.ruleLink, location))
            case .inside(var inside):
                let isPicture = ContentType.of(inside.relative).hasPrefix("image/")
                inside.isImage =
                    reference.kind == .image || reference.kind == .htmlSource && isPicture
                inside.otherPath = bases.second.flatMap {
                    SitePathName.join(inside.relative, to: $0)
                }
                let found = find(inside, from: page, audience, location, &resolution.budget)
                resolution.urls.append(filling(found.url, reference, found.target))
                if site.asset(at: found.target) != nil { resolution.files.insert(found.target) }
                if let other = found.page, other != page.url { resolution.pages.insert(other) }
                linked = found.page
                if let warning = found.warning { resolution.diagnostics.append(warning) }
                if let diagnostic = found.diagnostic { resolution.diagnostics.append(diagnostic) }
                if inside.isImage, found.diagnostic == nil, !found.target.isEmpty,
                    let message = images.mistake(found.target, written: written)
                {
                    resolution.diagnostics.append(
                        Diagnostic(.unsuitableImage, message, at: location, subject: written)
                    )
                }
            default:
                let (url, diagnostic) = Self.refusal(target, reference, location)
                resolution.urls.append(HTMLText.escapeURL(url))
                if let diagnostic { resolution.diagnostics.append(diagnostic) }
            }
        }
        return resolution
    }

    /// The URL and the finding for a link that points to no page, whatever the site contains.
    private static func refusal(
        _ target: LinkTarget,
        _ reference: RenderedDocument.Reference,
        _ location: SourceLocation
    ) -> (url: String, Diagnostic?) {
        let written = reference.destination
        func found(_ rule: Rule, _ message: String) -> Diagnostic {
            Diagnostic(rule, message, at: location, subject: written)
        }
        switch target {
        case .dangerous(let scheme):
            let message =
                "link to '\(scheme)' is removed, because it would run in the reader's browser"
            return ("", found(.dangerousLink, message))
        case .localFile:
            let message = "link to '\(written)' does not work: web pages cannot open local files"
            // An image would make browsers contact another machine, and identify the reader to it.
            return (reference.kind == .link ? written : "", found(.localFileLink, message))
        case .unknownScheme(let scheme):
            let message = "link to '\(written)': '\(scheme)' \(URLScheme.advice(scheme))"
            return (written, found(.unknownScheme, message))
        case .broken(let message): return (written, found(.deadLink, message))
        case .empty:
            // An empty URL in HTML means the page itself, and is often intended.
            guard [.link, .image].contains(reference.kind) else { return ("", nil) }
            let what = reference.kind == .image ? "image" : "link"
            return ("", found(.emptyLink, "\(what) has no destination: its parentheses are empty"))
        case .inside, .external, .programPath: return (written, nil)
        }
    }

    /// Whether a link points to an `r[name]` marker: by the name, or by the id that mdBook gives
    /// it.
    private func namesMarker(_ target: LinkTarget.Inside) -> Bool {
        if markers.isEmpty { return false }
        if let anchor = target.anchor {
            return anchor.hasPrefix("r-") && markers.contains(String(anchor.dropFirst(2)))
        }
        return markers.contains(target.written)
    }

    /// Adds the size to an image's URL.
    private func filling(
        _ url: String,
        _ reference: RenderedDocument.Reference,
        _ target: String
    ) -> String {
        guard reference.kind == .image else { return url }
        return RenderedDocument.filling(url, attributes: images.attributes(of: target))
    }

    /// The URL of a link by name; `nil` for another link.
    private func named(
        _ reference: RenderedDocument.Reference,
        on page: Page,
        _ location: SourceLocation,
        _ resolution: inout Resolution
    ) -> String? {
        var name = reference.destination
        if reference.kind != .wikiLink {
            guard name.utf8.starts(with: "doc:".utf8) else { return nil }
            name.removeFirst(4)
        }
        let (url, candidates) = wikiNames.destination(of: name, from: page)
        if !candidates.isEmpty {
            resolution.diagnostics.append(ambiguity(name, candidates, location))
        }
        return url
    }

    /// The target of a link inside the site.
    private struct Found {
        /// Escaped for an attribute.
        let url: String
        /// The URL as the site has it, not escaped.
        var target = ""
        /// The URL of the page.
        var page: String?
        var diagnostic: Diagnostic?
        /// That the link may mean something else.
        var warning: Diagnostic?
    }

    private func find(
        _ target: LinkTarget.Inside,
        from page: Page,
        _ audience: Audience,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> Found {
        let paths = target.paths(from: page, site.configuration)
        if paths.first == "" {
            let (suffix, mistake) = anchor(target, in: page, location, &budget)
            return Found(
                url: HTMLText.escapeURL(suffix),
                target: page.url,
                page: page.url,
                diagnostic: mistake ?? leak(page.url, target, audience, location)
            )
        }
        var found = paths.compactMap(places.place)
        if found.isEmpty { found = otherPlaces(target, paths, page) }
        guard let place = found.first else {
            // If the finding is lowered to a warning, the link stays as written and leads to the
            // server's error page.
            return Found(
                url: HTMLText.escapeURL(target.written),
                diagnostic: missing(target, location, &budget)
            )
        }
        var result = self.found(place, target, page, audience, location, &budget)
        if found.count > 1, let other = found.first(where: { $0 != place }) {
            result.warning = ambiguity(target, [place, other], location)
        }
        return result
    }

    /// What other tools find where a path names nothing.
    private func otherPlaces(_ target: LinkTarget.Inside, _ paths: [String], _ page: Page)
        -> [LinkPlaces.Place]
    {
        let address = target.path(relativeTo: page)
        if let address, let place = places.place(address) { return [place] }
        for path in paths {
            let found = places.places(ofOtherTools: path)
            if !found.isEmpty { return found }
        }
        // Docusaurus and Obsidian write the path from the top; Obsidian also the name alone.
        let isName = !target.relative.contains("/")
        // Every folder may have an index page.
        if target.isFile, !isName || !SitePathName.isIndex(target.relative) {
            let file = isName ? wikiNames.file(named: target.relative) : nil
            let found = places.place(target.relative) ?? file.flatMap(places.place)
            if let found { return [found] }
        }
        // DocC shows `plan@2x.png` for `plan`.
        guard target.isImage, !target.relative.contains(".") else { return [] }
        let url = wikiNames.destination(of: target.relative, from: page).url
        return SitePathName.decode(url[...]).flatMap(site.asset).map { [.asset($0)] } ?? []
    }

    private func found(
        _ place: LinkPlaces.Place,
        _ target: LinkTarget.Inside,
        _ page: Page,
        _ audience: Audience,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> Found {
        switch place {
        case .page(let index):
            let url = site.pages[index].url
            let (suffix, mistake) = anchor(target, in: site.pages[index], location, &budget)
            return Found(
                url: HTMLText.escapeURL(SitePathName.encode(url) + suffix),
                target: url,
                page: url,
                diagnostic: mistake ?? leak(url, target, audience, location)
            )
        case .asset(let url):
            return Found(
                url: HTMLText.escapeURL(SitePathName.encode(url) + target.suffix),
                target: url,
                diagnostic: leak(url, target, audience, location)
                    ?? openFile(url, target, page, audience, location)
            )
        case .generated(let url):
            let aliased = aliases[url].map { anchor(target, in: $0, location, &budget) }
            return Found(
                url: HTMLText.escapeURL(
                    SitePathName.encode(url) + (aliased?.suffix ?? target.suffix)
                ),
                target: url,
                diagnostic: aliased?.mistake ?? leak(url, target, audience, location)
            )
        case .account:
            return Found(url: HTMLText.escapeURL("/\(target.path ?? "")" + target.suffix))
        case .unpublished(let reason):
            return Found(
                url: HTMLText.escapeURL(target.written),
                diagnostic: absent(reason, target, location)
            )
        }
    }
}
