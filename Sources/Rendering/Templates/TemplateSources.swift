import Diagnostics
import OpenSSL
import POSIX
import Site
import SourceFolder

/// The files of templates and theme: built-in files, each replaced by the site's file of the same
/// name if there is one.
struct TemplateSources: Sendable {
    struct File: Sendable {
        /// The path in the templates folder.
        let path: String
        /// The path for diagnostics.
        let displayPath: String
        let bytes: [UInt8]
    }

    /// The files that sitegen reads or joins; it copies all others as they are.
    private static let textEndings = [".css", ".html", ".js", ".md"]

    /// Sorted by path.
    let files: [File]
    private(set) var diagnostics: [Diagnostic]

    /// - Parameter tree: the site's templates folder, if it has one.
    init(_ tree: SourceTree?) {
        diagnostics = tree?.diagnostics ?? []
        var files: [String: File] = [:]
        for (path, bytes) in Self.builtIn {
            files[path] = File(path: path, displayPath: "(built in)/\(path)", bytes: bytes())
        }
        for file in tree?.files ?? [] {
            do {
                var bytes = try file.read()
                if Self.textEndings.contains(where: file.path.hasSuffix) {
                    let text = DecodedText(bytes)
                    diagnostics += text.mistake.map { [$0.diagnostic(in: file.displayPath)] } ?? []
                    bytes = text.utf8
                }
                files[file.path] = File(
                    path: file.path,
                    displayPath: file.displayPath,
                    bytes: bytes
                )
            } catch {
                diagnostics.append(
                    Diagnostic(.error, error.reason, at: SourceLocation(file.displayPath))
                )
            }
        }
        self.files = files.values.sorted { $0.path < $1.path }
    }

    private init(files: [File], _ diagnostics: [Diagnostic]) {
        self.files = files
        self.diagnostics = diagnostics
    }

    /// The same look, in which pages consist of their text alone, whatever their template.
    var printing: TemplateSources {
        let text = Array("{{^hasHeading}}<h1>{{title}}</h1>\n{{/hasHeading}}{{{content}}}".utf8)
        let files = files.map { file in
            let isOfPages =
                file.path == "page.html"
                || Self.builtIn[file.path] == nil
                    && file.path.hasSuffix(".html")
            return isOfPages
                ? File(path: file.path, displayPath: file.displayPath, bytes: text) : file
        }
        return TemplateSources(files: files, diagnostics)
    }

    /// The files of the folder `templates` of this repository, which the compiler embeds through
    /// the link `BuiltIn`.
    static let builtIn: [String: @Sendable () -> [UInt8]] = [
        "404.html": { PackageResources._04_html },
        "502.html": { PackageResources._02_html },
        "503.html": { PackageResources._03_html },
        "above.html": { PackageResources.above_html },
        "auth.html": { PackageResources.auth_html },
        "banner.html": { PackageResources.banner_html },
        "contact.html": { PackageResources.contact_html },
        "forbidden.html": { PackageResources.forbidden_html },
        "layout.html": { PackageResources.layout_html },
        "list.html": { PackageResources.list_html },
        "meta.html": { PackageResources.meta_html },
        "moved.html": { PackageResources.moved_html },
        "page.html": { PackageResources.page_html },
        "paging.html": { PackageResources.paging_html },
        "recent.html": { PackageResources.recent_html },
        "search.html": { PackageResources.search_html },
        "side.html": { PackageResources.side_html },
        "theme/card.js/address.js": { PackageResources.address_js },
        "theme/card.js/facts.js": { PackageResources.facts_js },
        "theme/favicon.svg": { PackageResources.favicon_svg },
        "theme/search.css/results.css": { PackageResources.results_css },
        "theme/search.js/search-box.js": { PackageResources.search_box_js },
        "theme/search.js/search-index.js": { PackageResources.search_index_js },
        "theme/search.js/search-query.js": { PackageResources.search_query_js },
        "theme/search.js/search-snippet.js": { PackageResources.search_snippet_js },
        "theme/search.js/search-words.js": { PackageResources.search_words_js },
        "theme/site.css/account.css": { PackageResources.account_css },
        "theme/site.css/alerts.css": { PackageResources.alerts_css },
        "theme/site.css/banner.css": { PackageResources.banner_css },
        "theme/site.css/base.css": { PackageResources.base_css },
        "theme/site.css/buttons.css": { PackageResources.buttons_css },
        "theme/site.css/card.css": { PackageResources.card_css },
        "theme/site.css/code.css": { PackageResources.code_css },
        "theme/site.css/columns.css": { PackageResources.columns_css },
        "theme/site.css/contents.css": { PackageResources.contents_css },
        "theme/site.css/header.css": { PackageResources.header_css },
        "theme/site.css/icons.css": { PackageResources.icons_css },
        "theme/site.css/navigation.css": { PackageResources.navigation_css },
        "theme/site.css/page.css": { PackageResources.page_css },
        "theme/site.css/print.css": { PackageResources.print_css },
        "theme/site.css/search.css": { PackageResources.search_css },
        "theme/site.css/shortcuts.css": { PackageResources.shortcuts_css },
        "theme/site.css/tables.css": { PackageResources.tables_css },
        "theme/site.css/tabs.css": { PackageResources.tabs_css },
        "theme/site.css/drawings.css": { PackageResources.drawings_css },
        "theme/site.css/text.css": { PackageResources.text_css },
        "theme/site.js/account.js": { PackageResources.account_js },
        "theme/site.js/announcement.js": { PackageResources.announcement_js },
        "theme/site.js/code.js": { PackageResources.code_js },
        "theme/site.js/contents.js": { PackageResources.contents_js },
        "theme/site.js/drawer.js": { PackageResources.drawer_js },
        "theme/site.js/footnotes.js": { PackageResources.footnotes_js },
        "theme/site.js/images.js": { PackageResources.images_js },
        "theme/site.js/folders.js": { PackageResources.folders_js },
        "theme/site.js/make.js": { PackageResources.make_js },
        "theme/site.js/paper.js": { PackageResources.paper_js },
        "theme/site.js/prefetch.js": { PackageResources.prefetch_js },
        "theme/site.js/reader.js": { PackageResources.reader_js },
        "theme/site.js/scheme.js": { PackageResources.scheme_js },
        "theme/site.js/search.js": { PackageResources.search_js },
        "theme/site.js/sections.js": { PackageResources.sections_js },
        "theme/site.js/shortcuts.js": { PackageResources.shortcuts_js },
        "theme/site.js/tabs.js": { PackageResources.tabs_js },
        "theme/site.js/tasks.js": { PackageResources.tasks_js },
        "theme/site.js/visits.js": { PackageResources.visits_js },
    ]
}
