import Access
import Diagnostics
import Markdown

/// Finds out where the links and images of a page lead, and whether there is anything.
struct LinkResolver: Sendable {
    let site: Site
    let access: PageAccess
    let images: ImageSizes
    /// URLs of the files that the build makes.
    let generated: Set<String>
    /// The files of pages, by folder: thousands of dead links must not each look at all pages.
    private let filesByFolder: [Substring: [SourceTree.File]]
    private let wikiNames: WikiNames
    /// The names of all `r[name]` markers.
    private let markers: Set<String>

    init(site: Site, access: PageAccess, images: ImageSizes, generated: Set<String>) {
        self.site = site
        self.access = access
        self.images = images
        self.generated = generated
        filesByFolder = Dictionary(grouping: site.pages.map(\.file)) { Self.folder(of: $0.path) }
        wikiNames = WikiNames(site.pages)
        markers = Set(site.pages.flatMap(\.document.markers))
    }

    struct Resolution: Sendable {
        /// One for each reference of the page, escaped for an attribute.
        var urls: [String] = []
        /// The URLs of other pages that are linked.
        var pages: Set<String> = []
        var outsideLinks: [OutsideLink] = []
        var diagnostics: [Diagnostic] = []
        /// Links that only another tool could follow.
        var foreignLinks: [(construct: ForeignConstruct, place: Place)] = []
    }

    func resolve(_ page: Page) -> Resolution {
        var resolution = Resolution()
        let audience = access.audience(of: page.url)
        for reference in page.document.references {
            let written =
                reference.kind == .wikiLink
                ? wikiNames.destination(of: reference.destination) : reference.destination
            let place = page.place(reference.line, reference.column, length: reference.length)
            if reference.kind == .htmlDocument {
                resolution.urls.append("")
                let message = "'srcdoc' is left out: nothing looks at the document in it"
                resolution.diagnostics.append(Diagnostic(.dangerousLink, message, at: place))
                continue
            }
            let target = LinkTarget(written, from: page)
            switch target {
            case .outside(let url):
                resolution.urls.append(filling(HTMLText.escapeURL(url), reference, url))
                resolution.outsideLinks.append(OutsideLink(url: url, place: place))
            case .dangerous(let scheme):
                resolution.urls.append("")
                let message =
                    "link to '\(scheme)' is left out: it would run in the reader's browser"
                resolution.diagnostics.append(Diagnostic(.dangerousLink, message, at: place))
            case .outOfSource:
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                let message = "link to '\(reference.destination)' leads out of the source folder"
                resolution.diagnostics.append(Diagnostic(.linkOutOfSource, message, at: place))
            case .programPath:
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                resolution.foreignLinks.append((.programPath, place))
            case .inside(let inside) where namesMarker(inside):
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                resolution.foreignLinks.append((.ruleLink, place))
            case .broken(let message):
                resolution.urls.append(HTMLText.escapeURL(reference.destination))
                resolution.diagnostics.append(Diagnostic(.deadLink, message, at: place))
            case .inside(let inside):
                let (url, found, diagnostic) = find(inside, from: page, audience, place)
                resolution.urls.append(filling(url, reference, "/" + inside.path))
                if let found, found != page.url { resolution.pages.insert(found) }
                if let diagnostic { resolution.diagnostics.append(diagnostic) }
            }
        }
        return resolution
    }

    /// Whether a link leads to an `r[name]`: by its name, or by the id that mdBook gives it.
    private func namesMarker(_ target: LinkTarget.Inside) -> Bool {
        if markers.isEmpty { return false }
        if let anchor = target.anchor {
            return anchor.hasPrefix("r-") && markers.contains(String(anchor.dropFirst(2)))
        }
        return markers.contains(target.written)
    }

    /// An image gets its size along with its URL.
    private func filling(
        _ url: String,
        _ reference: RenderedDocument.Reference,
        _ target: String
    ) -> String {
        guard reference.kind == .image else { return url }
        return RenderedDocument.filling(url, attributes: images.attributes(of: target))
    }

    private func find(
        _ target: LinkTarget.Inside,
        from page: Page,
        _ audience: Audience,
        _ place: Place
    ) -> (url: String, page: String?, Diagnostic?) {
        if let found = target.path.isEmpty ? page : self.page(target.path) {
            let url = (target.path.isEmpty ? "" : SitePathName.encode(found.url)) + target.suffix
            return (
                HTMLText.escapeURL(url),
                found.url,
                anchorMistake(target, in: found, place)
                    ?? leak(found.url, target, audience, place)
            )
        }
        let url = "/" + target.path
        if site.hasAsset(at: url) {
            return (
                HTMLText.escapeURL(SitePathName.encode(url) + target.suffix),
                nil,
                leak(url, target, audience, place) ?? openFile(url, target, page, audience, place)
            )
        }
        if let made = [url, url + "/", target.path].first(where: generated.contains) {
            return (
                HTMLText.escapeURL(SitePathName.encode(made) + target.suffix),
                nil,
                leak(made, target, audience, place)
            )
        }
        if ["auth/account", "auth/sign-in", "auth/sign-out"].contains(target.path) {
            return (HTMLText.escapeURL(url + target.suffix), nil, nil)
        }
        // Where this is no error, what was written leads to the server's own page that says so.
        return (HTMLText.escapeURL(target.written), nil, missing(target, place))
    }

    /// A page by its file's path, or by its URL without the first slash.
    private func page(_ path: String) -> Page? {
        if let page = site.page(inFile: path) { return page }
        // As mdBook, Jekyll and others call the page of a file; the file itself would be an asset.
        if path.hasSuffix(".html"), !site.hasAsset(at: "/" + path),
            let page = site.page(inFile: path.dropLast(5) + ".md")
        {
            return page
        }
        let url = path.hasSuffix("/") ? "/\(path)" : "/\(path)/"
        return site.page(at: path == "/" ? "/" : url)
    }

    private func missing(_ target: LinkTarget.Inside, _ place: Place) -> Diagnostic {
        if let absence = site.absence(of: target.path) {
            return absent(absence, target, place)
        }
        let isMarkdown = target.path.hasSuffix(".md")
        // A name with a dot is that of a file; without one it may have been meant as a page.
        let name = target.path.split(separator: "/").last ?? ""
        let rule = isMarkdown || !name.contains(".") ? Rule.deadLink : .missingAsset
        let message = "link to '\(target.written)' has no \(isMarkdown ? "page" : "page or file")"
        let folder = Self.folder(of: target.path)
        let siblings = filesByFolder[folder] ?? []
        let wanted = target.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)
        var notes: [Diagnostic.Note] = []
        // In a folder of thousands many names are near, and looking for them takes long.
        if siblings.count <= 1000,
            let near = NearestName.of(
                String(wanted),
                in: siblings.map {
                    String($0.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1))
                }
            ),
            let sibling = siblings.first(where: { $0.path.hasSuffix(near) })
        {
            notes = [.init("there is '\(near)' in that folder", at: Place(sibling.displayPath))]
        }
        return Diagnostic(rule, message, at: place, notes: notes)
    }

    private static func folder(of path: String) -> Substring {
        path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    }

    /// A draft is an author's doing; a day that comes is nobody's, and must not stop the build
    /// that takes an expired page away.
    private func absent(
        _ absence: Page.Absence,
        _ target: LinkTarget.Inside,
        _ place: Place
    ) -> Diagnostic {
        let link = "link to '\(target.written)' leads to"
        return switch absence {
        case .draft: Diagnostic(.linkToDraft, "\(link) a draft", at: place)
        case .future:
            Diagnostic(.linkToAbsentPage, "\(link) a page whose 'date' is to come", at: place)
        case .expired: Diagnostic(.linkToAbsentPage, "\(link) a page that has expired", at: place)
        }
    }

    private func anchorMistake(
        _ target: LinkTarget.Inside,
        in page: Page,
        _ place: Place
    ) -> Diagnostic? {
        // `#` and `#top` are the top of any page (HTML, "select the indicated part").
        guard let anchor = target.anchor, !anchor.isEmpty, anchor != "top" else { return nil }
        let ids = page.document.headings.map(\.id)
        if ids.contains(anchor) || page.document.anchors.contains(anchor) { return nil }
        let near = NearestName.of(anchor, in: ids)
        let shown = near.map { [$0] } ?? Array(ids.prefix(5))
        let list = shown.map { "'#\($0)'" }.joined(separator: ", ")
        let has = ids.isEmpty ? "it has no headings" : "it has \(list)"
        return Diagnostic(
            .deadAnchor,
            "'\(page.file.path)' has no heading '#\(anchor)'; \(has)",
            at: place
        )
    }

    /// What the author wrote in a link stands in the page, whoever may open its target.
    private func leak(
        _ url: String,
        _ target: LinkTarget.Inside,
        _ audience: Audience,
        _ place: Place
    ) -> Diagnostic? {
        let targetAudience = access.audience(of: url)
        if audience.isWithin(targetAudience) { return nil }
        return Diagnostic(
            .linkToRestrictedPage,
            "link to '\(target.written)' shows '\(audience)' readers a page for '\(targetAudience)'",
            at: place
        )
    }

    /// A file beside a page is its folder's, and not the page's, which may be for fewer readers.
    private func openFile(
        _ url: String,
        _ target: LinkTarget.Inside,
        _ page: Page,
        _ audience: Audience,
        _ place: Place
    ) -> Diagnostic? {
        let fileAudience = access.audience(of: url)
        let isBeside =
            NavigationTree.parent(of: url) == NavigationTree.parent(of: "/" + page.file.path)
        guard isBeside, !fileAudience.isWithin(audience) else { return nil }
        return Diagnostic(
            .widerFile,
            "file '\(target.written)' is for '\(fileAudience)', and this page for '\(audience)'",
            at: place
        )
    }
}
