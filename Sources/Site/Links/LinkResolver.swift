import Access
import Diagnostics
import Markdown

/// Resolves the links and images of a page, and reports those whose target is missing.
package struct LinkResolver: Sendable {
    package let site: Site
    package let access: PageAccess
    package let images: ImageSizes
    /// URLs of generated files.
    package let generated: Set<String>
    /// Whether links to other sites are collected, to be checked.
    let collectsExternalLinks: Bool
    private let nearby: FileSuggestions
    private let anchors = AnchorIndex()
    /// The targets of aliases, by the URLs of the aliases.
    private let aliases: [String: Page]
    private let wikiNames: WikiNames
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
        self.generated = generated
        self.images = if let images { images } else { await ImageSizes(site) }
        collectsExternalLinks = options.checks.externalLinks != nil
        nearby = FileSuggestions(site, ignored: sources.tree.ignored)
        aliases = Dictionary(
            model.redirects.all.map { ($0.url, $0.target) },
            uniquingKeysWith: { first, _ in first }
        )
        wikiNames = WikiNames(site.pages)
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
        for reference in page.document.references {
            let destination = reference.destination
            let written =
                reference.kind == .wikiLink
                ? wikiNames.destination(of: destination)
                : OwnAddress.path(of: destination, origin: site.configuration.baseURL)
                    ?? destination
            let location = page.location(reference.range)
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
            let target = LinkTarget(written, in: page.file.path)
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
                let isPicture = ContentType.of(inside.path).hasPrefix("image/")
                inside.isImage =
                    reference.kind == .image || reference.kind == .htmlSource && isPicture
                let found = find(inside, from: page, audience, location, &resolution.budget)
                resolution.urls.append(filling(found.url, reference, found.target))
                if site.asset(at: found.target) != nil { resolution.files.insert(found.target) }
                if let other = found.page, other != page.url { resolution.pages.insert(other) }
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
        case .outOfSource:
            let message = "link to '\(written)' points outside the source folder"
            return (written, found(.linkOutOfSource, message))
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

    /// The target of a link inside the site.
    private struct Found {
        /// Escaped for an attribute.
        let url: String
        /// The URL as the site has it, not escaped.
        var target = ""
        /// The URL of the page.
        var page: String?
        var diagnostic: Diagnostic?
    }

    private func find(
        _ target: LinkTarget.Inside,
        from page: Page,
        _ audience: Audience,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> Found {
        if target.path.isEmpty {
            let (suffix, mistake) = anchor(target, in: page, location, &budget)
            return Found(
                url: HTMLText.escapeURL(suffix),
                target: page.url,
                page: page.url,
                diagnostic: mistake ?? leak(page.url, target, audience, location)
            )
        }
        if let index = self.page(target.path) {
            let url = site.pages[index].url
            let (suffix, mistake) = anchor(target, in: site.pages[index], location, &budget)
            return Found(
                url: HTMLText.escapeURL(SitePathName.encode(url) + suffix),
                target: url,
                page: url,
                diagnostic: mistake ?? leak(url, target, audience, location)
            )
        }
        if let url = site.asset(at: "/" + target.path) {
            return Found(
                url: HTMLText.escapeURL(SitePathName.encode(url) + target.suffix),
                target: url,
                diagnostic: leak(url, target, audience, location)
                    ?? openFile(url, target, page, audience, location)
            )
        }
        let url = "/" + target.path
        for name in [url, url + "/", target.path] {
            guard let index = generated.firstIndex(of: name) else { continue }
            let made = generated[index]
            let aliased = aliases[made].map { anchor(target, in: $0, location, &budget) }
            return Found(
                url: HTMLText.escapeURL(
                    SitePathName.encode(made) + (aliased?.suffix ?? target.suffix)
                ),
                target: made,
                diagnostic: aliased?.mistake ?? leak(made, target, audience, location)
            )
        }
        if ["auth/account", "auth/sign-in", "auth/sign-out"].contains(target.path) {
            return Found(url: HTMLText.escapeURL(url + target.suffix))
        }
        // If the finding is lowered to a warning, the link stays as written and leads to the
        // server's error page.
        return Found(
            url: HTMLText.escapeURL(target.written),
            diagnostic: missing(target, location, &budget)
        )
    }

    /// The index of a page by its file's path, or by its URL without the leading slash.
    private func page(_ path: String) -> Int? {
        if let page = site.index(ofPageIn: path) { return page }
        // mdBook, Jekyll and others link to `a.html` for `a.md`; an asset `a.html` comes first.
        if path.hasSuffix(".html"), site.asset(at: "/" + path) == nil,
            let page = site.index(ofPageIn: path.dropLast(5) + ".md")
        {
            return page
        }
        let url = path.hasSuffix("/") ? "/\(path)" : "/\(path)/"
        return site.index(ofPageAt: path == "/" ? "/" : url)
    }

    private func missing(
        _ target: LinkTarget.Inside,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> Diagnostic {
        if let unpublishedReason = site.unpublishedReason(of: target.path) {
            return absent(unpublishedReason, target, location)
        }
        let isMarkdown = target.path.hasSuffix(".md")
        // A name with a dot is a file; a name without one may be meant as a page.
        let name = target.path.split(separator: "/").last ?? ""
        let rule = isMarkdown || !name.contains(".") ? Rule.deadLink : .missingAsset
        let what = isMarkdown ? "page" : "page or file"
        let message =
            target.isImage
            ? "image '\(target.written)' does not exist"
            : "link to '\(target.written)' is dead: there is no such \(what)"
        let note = nearby.note(for: target.path, &budget)
        return Diagnostic(
            rule,
            message,
            at: location,
            notes: note.map { [$0] } ?? [],
            subject: target.written
        )
    }

    /// A link to a draft is an error, because an author made the page a draft.
    ///
    /// A date passes by itself, and must not break the build that removes an expired page.
    private func absent(
        _ unpublishedReason: UnpublishedReason,
        _ target: LinkTarget.Inside,
        _ location: SourceLocation
    ) -> Diagnostic {
        let (rule, page): (Rule, String) =
            switch unpublishedReason {
            case .draft: (.linkToDraft, "a draft")
            case .future: (.linkToAbsentPage, "a page whose 'date' is in the future")
            case .expired: (.linkToAbsentPage, "an expired page")
            case .unnamed: (.linkToAbsentPage, "a page that the navigation does not name")
            }
        let message = "link to '\(target.written)' points to \(page)"
        return Diagnostic(rule, message, at: location, subject: target.written)
    }

    /// The query and fragment of a link, the fragment as the page spells it.
    private func anchor(
        _ target: LinkTarget.Inside,
        in page: Page,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> (suffix: String, mistake: Diagnostic?) {
        // `#` and `#top` mean the top of any page (HTML, "select the indicated part").
        guard let anchor = target.anchor, !anchor.isEmpty, anchor != "top" else {
            return (target.suffix, nil)
        }
        if let id = anchors.id(anchor, on: page) {
            if id.utf8.elementsEqual(anchor.utf8) { return (target.suffix, nil) }
            let query = target.suffix.prefix { $0 != "#" }
            return ("\(query)#\(SitePathName.encode(id))", nil)
        }
        let headings = page.document.headings
        var shown = headings.prefix(5).map(\.id)
        if headings.count <= min(1000, budget) {
            budget -= headings.count
            shown = NearestName.of(anchor, in: headings.map(\.id)).map { [$0] } ?? shown
        }
        if page.document.droppedAnchors.contains(anchor) {
            let message =
                "'\(page.file.path)' has no '#\(anchor)': the HTML with this id is removed"
            let mistake = Diagnostic(.deadAnchor, message, at: location, subject: target.written)
            return (target.suffix, mistake)
        }
        let list = shown.map { "'#\($0)'" }.joined(separator: ", ")
        let has = headings.isEmpty ? "it has no headings" : "it has \(list)"
        let message = "'\(page.file.path)' has no heading '#\(anchor)'; \(has)"
        let mistake = Diagnostic(.deadAnchor, message, at: location, subject: target.written)
        return (target.suffix, mistake)
    }

    /// Reports a link to a page that some readers of this page may not open: the link's text shows
    /// them that the page exists.
    private func leak(
        _ url: String,
        _ target: LinkTarget.Inside,
        _ audience: Audience,
        _ location: SourceLocation
    ) -> Diagnostic? {
        let targetAudience = access.audience(of: url)
        if audience.isSubset(of: targetAudience) { return nil }
        let written = target.written
        let mayRead =
            target.isImage
            ? "image '\(written)' is for '\(targetAudience)'"
            : "link to '\(written)' points to a page for '\(targetAudience)'"
        return Diagnostic(
            .linkToRestrictedPage,
            "\(mayRead), but this page is for '\(audience)'",
            at: location,
            subject: target.written
        )
    }

    /// Reports a file beside a page that has more readers than the page: the file has the access of
    /// its folder, not of the page.
    private func openFile(
        _ url: String,
        _ target: LinkTarget.Inside,
        _ page: Page,
        _ audience: Audience,
        _ location: SourceLocation
    ) -> Diagnostic? {
        let fileAudience = access.audience(of: url)
        let isBeside =
            SitePathName.parent(of: url) == SitePathName.parent(of: "/" + page.file.path)
        guard isBeside, !fileAudience.isSubset(of: audience) else { return nil }
        return Diagnostic(
            .widerFile,
            "file '\(target.written)' is for '\(fileAudience)', but this page is for '\(audience)'",
            at: location,
            subject: target.written
        )
    }
}
