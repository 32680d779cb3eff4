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

    struct Resolution: Sendable {
        /// One for each reference of the page, escaped for an attribute.
        var urls: [String] = []
        var diagnostics: [Diagnostic] = []
    }

    func resolve(_ page: Page) -> Resolution {
        var resolution = Resolution()
        let audience = access.audience(of: page.url)
        for reference in page.document.references {
            let target = LinkTarget(reference.destination, from: page)
            let place = page.place(reference.line, reference.column)
            switch target {
            case .outside(let url):
                resolution.urls.append(filling(HTMLText.escapeURL(url), reference, url))
            case .dangerous(let scheme):
                resolution.urls.append("")
                let message =
                    "link to '\(scheme)' is left out: it would run in the reader's browser"
                resolution.diagnostics.append(Diagnostic(.error, message, at: place))
            case .broken(let message):
                resolution.urls.append("")
                resolution.diagnostics.append(Diagnostic(.error, message, at: place))
            case .inside(let inside):
                let (url, diagnostic) = find(inside, from: page, audience, place)
                resolution.urls.append(filling(url, reference, "/" + inside.path))
                if let diagnostic { resolution.diagnostics.append(diagnostic) }
            }
        }
        return resolution
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
    ) -> (url: String, Diagnostic?) {
        if let found = target.path.isEmpty ? page : self.page(target.path) {
            let url = (target.path.isEmpty ? "" : SitePathName.encode(found.url)) + target.suffix
            return (
                HTMLText.escapeURL(url),
                anchorMistake(target, in: found, place)
                    ?? leak(found.url, target, audience, place)
            )
        }
        let url = "/" + target.path
        if site.hasAsset(at: url) {
            return (
                HTMLText.escapeURL(SitePathName.encode(url) + target.suffix),
                leak(url, target, audience, place) ?? openFile(url, target, page, audience, place)
            )
        }
        if let made = [url, url + "/", target.path].first(where: generated.contains) {
            return (
                HTMLText.escapeURL(SitePathName.encode(made) + target.suffix),
                leak(made, target, audience, place)
            )
        }
        if ["auth/account", "auth/sign-in", "auth/sign-out"].contains(target.path) {
            return (HTMLText.escapeURL(url + target.suffix), nil)
        }
        return ("", missing(target, place))
    }

    /// A page by its file's path, or by its URL without the first slash.
    private func page(_ path: String) -> Page? {
        if let page = site.page(inFile: path) { return page }
        let url = path.hasSuffix("/") ? "/\(path)" : "/\(path)/"
        return site.page(at: path == "/" ? "/" : url)
    }

    private func missing(_ target: LinkTarget.Inside, _ place: Place) -> Diagnostic {
        if let absence = site.absence(of: target.path) {
            return absent(absence, target, place)
        }
        let isMarkdown = target.path.hasSuffix(".md")
        let message = "link to '\(target.written)' has no \(isMarkdown ? "page" : "page or file")"
        let folder = target.path.prefix(
            upTo: target.path.lastIndex(of: "/") ?? target.path.startIndex
        )
        let siblings = site.pages.filter {
            $0.file.path.prefix(upTo: $0.file.path.lastIndex(of: "/") ?? $0.file.path.startIndex)
                == folder
        }
        let names = siblings.map {
            String($0.file.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1))
        }
        let wanted = target.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)
        var notes: [Diagnostic.Note] = []
        if let near = NearestName.of(String(wanted), in: names),
            let sibling = siblings.first(where: { $0.file.path.hasSuffix(near) })
        {
            notes = [
                .init("there is '\(near)' in that folder", at: Place(sibling.file.displayPath))
            ]
        }
        return Diagnostic(.error, message, at: place, notes: notes)
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
        case .draft: Diagnostic(.error, "\(link) a draft", at: place)
        case .future: Diagnostic(.warning, "\(link) a page whose 'date' is to come", at: place)
        case .expired: Diagnostic(.warning, "\(link) a page that has expired", at: place)
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
        if ids.contains(anchor) { return nil }
        let near = NearestName.of(anchor, in: ids)
        let shown = near.map { [$0] } ?? Array(ids.prefix(5))
        let list = shown.map { "'#\($0)'" }.joined(separator: ", ")
        let has = ids.isEmpty ? "it has no headings" : "it has \(list)"
        return Diagnostic(
            .error,
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
            .warning,
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
            .warning,
            "file '\(target.written)' is for '\(fileAudience)', and this page for '\(audience)'",
            at: place
        )
    }
}
