import Diagnostics
import Rules
import SourceFolder

/// Reports ignored pages whose front matter says who may read a folder.
///
/// Without its rule the folder would be open: `exclude` must not remove a rule unnoticed.
enum ExcludedAccessRules {
    /// - Parameter included: the paths of files that pages include, which may lie in such a folder.
    static func diagnostics(
        in pages: [SourceTree.File],
        _ configuration: SiteConfiguration,
        _ site: Site,
        included: Set<String>
    ) -> [Diagnostic] {
        pages.compactMap { file in
            let url = SitePathName.url(ofPage: file.path)
            let folder = url.lowercased()
            let hasIncluded = included.contains { path in
                path != file.path && SitePathName.url(ofFile: path).lowercased().hasPrefix(folder)
            }
            guard hasIncluded || site.hasFolder(at: url) else { return nil }
            var options = BuildOptions(now: 0)
            options.isLenient = true
            let page = Page(reading: file, configuration, options)
            let isBroken = page.diagnostics.contains { diagnostic in
                Rule(rawValue: diagnostic.rule ?? "")?.reasonToFailClosed != nil
            }
            guard page.frontMatter.access != nil || isBroken else { return nil }
            let message = "is ignored, but its front matter says who may read '\(url)'"
            let note = Diagnostic.Note(
                "add it to 'include' in sitegen.toml, or remove 'access' from it"
            )
            return Diagnostic(
                .unreadAccess,
                message,
                at: SourceLocation(file.displayPath),
                notes: [note]
            )
        }
    }
}
