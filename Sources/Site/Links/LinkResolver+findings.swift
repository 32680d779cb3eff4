import Access
import Diagnostics
import Markdown
import Rules
import SourceFolder

/// What is wrong with links.
extension LinkResolver {
    func ambiguity(
        _ written: String,
        _ candidates: [String],
        _ location: SourceLocation,
        _ notes: [Diagnostic.Note] = []
    ) -> Diagnostic {
        let names = candidates.prefix(3).map { "'\($0)'" }.joined(separator: " or ")
        let message = "link to '\(written)' may mean \(names), and leads to the first"
        return Diagnostic(.ambiguousLink, message, at: location, notes: notes, subject: written)
    }

    /// - Parameter places: two, of which the link leads to the first.
    func ambiguity(
        _ target: LinkTarget.Inside,
        _ places: [LinkPlaces.Place],
        _ location: SourceLocation
    ) -> Diagnostic? {
        let configuration = site.configuration
        let isAbsolute = target.relative.hasPrefix("/")
        let isIncluded = target.otherPath != nil
        if !isAbsolute, !isIncluded, configuration.relativeLinks != nil { return nil }
        let key = isAbsolute ? "root" : "relative"
        let note = Diagnostic.Note("'\(key)' in '[links]' of sitegen.toml says what links mean")
        let names = places.map { place in
            switch place {
            case .page(let index): site.pages[index].file.path
            case .asset(let url), .generated(let url): url
            case .account, .unpublished: target.path ?? target.relative
            }
        }
        return ambiguity(target.written, names, location, isIncluded ? [] : [note])
    }

    func missing(
        _ target: LinkTarget.Inside,
        _ location: SourceLocation,
        _ budget: inout Int
    ) -> Diagnostic {
        guard let path = target.path else {
            let message = "link to '\(target.written)' points outside the source folder"
            return Diagnostic(.linkOutOfSource, message, at: location, subject: target.written)
        }
        let isMarkdown = SitePathName.isPage(path)
        // A name with a dot is a file; a name without one may be meant as a page.
        let name = path.split(separator: "/").last ?? ""
        let rule = isMarkdown || !name.contains(".") ? Rule.deadLink : .missingAsset
        let what = isMarkdown ? "page" : "page or file"
        let message =
            target.isImage
            ? "image '\(target.written)' does not exist"
            : "link to '\(target.written)' is dead: there is no such \(what)"
        let isName = !target.relative.contains("/")
        let note = nearby.note(for: path, isName: isName, &budget)
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
    func absent(
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
    func anchor(
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
    func leak(
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
    func openFile(
        _ url: String,
        _ target: LinkTarget.Inside,
        _ page: Page,
        _ audience: Audience,
        _ location: SourceLocation
    ) -> Diagnostic? {
        let fileAudience = access.audience(of: url)
        let folder = SitePathName.parent(of: url)
        let isBeside =
            folder == SitePathName.parent(of: SitePathName.url(ofFile: page.file.path))
            || SourceTree.attachments.contains { folder.hasPrefix("/\($0)/") }
        guard isBeside, !fileAudience.isSubset(of: audience) else { return nil }
        return Diagnostic(
            .widerFile,
            "file '\(target.written)' is for '\(fileAudience)', but this page is for '\(audience)'",
            at: location,
            subject: target.written
        )
    }
}
