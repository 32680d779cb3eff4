import Access
import Diagnostics
import Rules
import SourceFolder

/// Reports pages that show the text of a file to readers who may not read the file.
///
/// A text may get into a page by including it only, so this holds for all that is made of pages: titles
/// and descriptions in lists, the search, feeds and previews.
enum IncludedReaders {
    static func diagnostics(
        in pages: [Page],
        _ site: Site,
        _ access: PageAccess,
        _ options: BuildOptions
    ) -> [Diagnostic] {
        let including = pages.filter { !$0.inclusions.isEmpty }
        if including.isEmpty { return [] }
        let urls = Dictionary(
            pages.map { ($0.file.path, $0.url) },
            uniquingKeysWith: { first, _ in first }
        )
        // A file beside an index page that is not published is withheld with it.
        let files = including.flatMap(\.inclusions).map(\.file).filter { urls[$0.path] == nil }
        let withheld = Dictionary(
            UnpublishedFiles(files, of: pages).unpublishedReasons.map {
                ($0.path, $0.unpublishedReason)
            },
            uniquingKeysWith: { first, _ in first }
        )
        return including.flatMap { page in
            let readers = access.authorsAudience(of: page.url)
            return page.inclusions.compactMap { inclusion in
                let path = inclusion.file.path
                let url = urls[path] ?? SitePathName.url(ofFile: path)
                let allowed = [access.authorsAudience(of: url), inclusion.frontMatter.access]
                    .compactMap(\.self)
                if let narrower = allowed.first(where: { !readers.isSubset(of: $0) }) {
                    let message =
                        "'\(path)' is for '\(narrower)', but this page is for '\(readers)', and would show"
                        + " its text to all of them"
                    return Diagnostic(.restrictedInclude, message, at: inclusion.location)
                }
                guard page.unpublishedReason == nil,
                    let reason = name(
                        inclusion.frontMatter.unpublishedReason(options)
                            ?? site.unpublishedReason(of: path) ?? withheld[path]
                    )
                else { return nil }
                let message = "'\(path)' is \(reason), and this page would show its text"
                return Diagnostic(.restrictedInclude, message, at: inclusion.location)
            }
        }
    }

    /// Why the text of a file is for no reader yet, or no longer.
    private static func name(_ reason: UnpublishedReason?) -> String? {
        switch reason {
        case .draft: "a draft"
        case .future: "not published yet"
        case .expired: "expired"
        // A part of a page has no place in the navigation.
        case .unnamed, nil: nil
        }
    }
}
