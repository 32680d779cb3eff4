import Access
import Site

/// The files of a release that are no pages, each with how it is made.
package struct SiteFiles: Sendable {
    package let all: [OutputFile]

    /// The templates that every site has, with the paths of their files.
    package static let fixedTemplates = [
        ("auth", "auth/page.html"), ("404", "errors/404.html"), ("forbidden", "errors/403.html"),
        ("502", "errors/502.html"), ("503", "errors/503.html"),
    ]

    /// - Parameter search: `nil` without the search indexes.
    package init(
        _ model: SiteModel,
        _ listings: SiteListings,
        _ theme: Theme,
        _ search: SearchIndex? = nil
    ) {
        let texts = [
            ("access", model.access.policy.text),
            ("redirects.map", model.redirects.map(model.access)),
            (ReaderTexts.path, ReaderTexts.json(model.site.configuration)),
        ].map { OutputFile(path: $0, content: .bytes(Array($1.utf8))) }
        let assets = model.site.assets.map { url, file in
            OutputFile(path: "site\(url)", content: .copy(file))
        }
        let fixed = Self.fixedTemplates.map { name, path in
            OutputFile(path: path, content: .template(name))
        }
        let generated = listings.generated.filter { !$0.isMarkdown }.map { file in
            OutputFile(
                path: "site\(file.path)",
                content: .generated(file),
                readers: file.readers
            )
        }
        let indexes = (search?.files ?? []).map { path, bytes in
            OutputFile(path: path, content: .bytes(bytes))
        }
        all = texts + assets + fixed + theme.files + generated + indexes
    }
}
