import Access
import FoundationEssentials
import HTML
import Rendering
import Site
import SourceFolder

/// All pages that one reader may open as a single HTML file, which needs no other file: for paper, a
/// PDF, or an auditor.
struct PrintedSite {
    private let site: PreviewSite
    private let reader: Viewer
    /// The pages in reading order, and before those below it each folder that has no page.
    private let pages: [(url: String, label: String, depth: Int, isPage: Bool)]

    /// - Parameter site: its pages consist of their text alone.
    init(_ site: PreviewSite, for reader: Viewer) {
        self.site = site
        self.reader = reader
        var depths: [Int] = []
        var pages: [(url: String, label: String, depth: Int, isPage: Bool)] = []
        /// Their entries in the tree.
        var indices: [Int] = []
        let tree = site.loaded.model.navigation.tree
        for (index, entry) in tree.entries.enumerated() {
            let depth = depths.isEmpty ? 0 : depths[entry.parent] + 1
            depths.append(depth)
            if entry.page == nil {
                let isOpen = reader.verdict(on: entry.audience) == .allowed
                let label = tree.folderLabel(index, isOpen: isOpen)
                pages.append((entry.url, label, min(depth, 6), isPage: false))
                indices.append(index)
            }
            // The policy decides, as for each request of a reader.
            guard entry.page != nil, let candidate = entry.candidate,
                let page = Disclosure.show(candidate, to: reader),
                let path = SitePath(entry.url),
                reader.verdict(on: site.policy.audience(of: path)) == .allowed
            else { continue }
            pages.append((entry.url, page.label, min(depth, 6), isPage: true))
            indices.append(index)
        }
        // Readers see the name of a folder in the URLs of pages below it that they may open, and a
        // heading above them.
        self.pages = pages.indices.filter { index in
            let page = pages[index]
            let end = tree.entries[indices[index]].end
            return page.isPage
                || pages.indices[index...].contains {
                    pages[$0].isPage && pages[$0].url.hasPrefix(page.url)
                        && (!page.url.isEmpty || indices[$0] < end)
                }
        }.map { pages[$0] }
    }

    func html(_ day: String) async throws -> [UInt8] {
        let model = site.loaded.model
        let configuration = model.site.configuration
        let texts = configuration.texts
        let prefixes = Dictionary(
            pages.enumerated().filter(\.element.isPage)
                .map { (SitePathName.encode($1.url), Self.prefix($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        var html: [UInt8] = []
        html +=
            """
            <!doctype html>
            <html lang="\(HTMLText.escape(configuration.language))" \
            dir="\(TextDirection(ofLanguage: configuration.language).rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(HTMLText.escape(configuration.title))</title>
            <style>

            """.utf8
        html += try await styleSheet
        html += PackageResources.printed_site_css
        html +=
            """
            </style>
            </head>
            <body>
            <main class="page">
            <header>
            <h1>\(HTMLText.escape(configuration.title))</h1>
            <p>\(HTMLText.escape(configuration.description))</p>
            <p class="readers">\(texts.html("Readers")): \(HTMLText.escape(readers(texts))) · \
            <time datetime="\(day)">\(HTMLText.escape(texts.date(day)))</time></p>
            </header>
            <nav aria-label="\(texts.html("Contents"))">
            <ol>

            """.utf8
        for (index, page) in pages.enumerated() {
            let label = HTMLText.escape(page.label)
            let link = page.isPage ? "<a href=\"#\(Self.prefix(index))\">\(label)</a>" : label
            html += "<li class=\"depth-\(page.depth)\">\(link)</li>\n".utf8
        }
        html += "</ol>\n</nav>\n".utf8
        let shown = pages.enumerated().filter(\.element.isPage)
        let rendered = try await site.render(shown.compactMap { model.site.page(at: $1.url) })
        for ((index, _), file) in zip(shown, rendered) {
            let printed = PrintedPage(
                prefix: Self.prefix(index),
                prefixes: prefixes,
                baseURL: configuration.baseURL,
                file: dataURL
            )
            let language = model.site.page(at: pages[index].url)
                .flatMap { configuration.language(of: $0.frontMatter) }
            let attributes = language.map {
                " lang=\"\($0)\" dir=\"\(TextDirection(ofLanguage: $0).rawValue)\""
            }
            html += "<article id=\"\(Self.prefix(index))\"\(attributes ?? "")>\n".utf8
            printed.append(file.bytes, to: &html)
            html += "</article>\n".utf8
        }
        html += "</main>\n</body>\n</html>\n".utf8
        return html
    }

    private static func prefix(_ index: Int) -> String { "page-\(index + 1)" }

    private func readers(_ texts: InterfaceTexts) -> String {
        switch reader {
        case .visitor: return texts["Public"]
        case .member(let names) where !names.isEmpty:
            return site.loaded.model.site.configuration.titles(of: names)
        default: return texts["All who sign in"]
        }
    }

    /// The site's style sheet, with its fonts and pictures in it.
    private var styleSheet: [UInt8] {
        get async throws {
            guard let url = site.loaded.look.theme.urls["site-css"],
                let bytes = try await themeFile(url)
            else { return [] }
            var css: [UInt8] = []
            var written = 0
            for reference in StyleSheetReference.all(in: bytes) {
                guard let content = try await themeFile(reference.address) else { continue }
                css += bytes[written..<reference.range.lowerBound]
                css += Self.dataURL(content, reference.address).utf8
                written = reference.range.upperBound
            }
            return css + bytes[written...]
        }
    }

    private func themeFile(_ url: String) async throws -> [UInt8]? {
        let prefix = "/_theme/"
        guard url.hasPrefix(prefix) else { return nil }
        return try await site.file(at: Theme.folder + url.dropFirst(prefix.count))
    }

    /// The file at a path of the site as a URL that contains it; `nil` if this reader may not open it.
    private func dataURL(_ path: String) -> String? {
        guard let decoded = SitePathName.decode(Substring(path)), let judged = SitePath(decoded),
            reader.verdict(on: site.policy.audience(of: judged)) == .allowed,
            let bytes = site.asset(at: decoded)
        else { return nil }
        return Self.dataURL(bytes, path)
    }

    private static func dataURL(_ bytes: [UInt8], _ path: String) -> String {
        "data:\(ContentType.of(path).filter { $0 != " " });base64,\(Data(bytes).base64EncodedString())"
    }
}

extension SiteBuild {
    /// Makes one HTML file of all pages that a reader may open; nothing is published.
    ///
    /// - Returns: no HTML if the site has an error.
    public static func print(
        configurationPath: String?,
        _ options: BuildOptions,
        for reader: Viewer
    ) async throws -> (html: [UInt8]?, outcome: BuildOutcome) {
        var options = options
        options.printsPages = true
        let (site, outcome) = await check(configurationPath: configurationPath, options)
        guard let site else { return (nil, outcome) }
        let day = Date(timeIntervalSince1970: Double(options.now))
            .formatted(.iso8601.year().month().day())
        return (try await PrintedSite(PreviewSite(site), for: reader).html(day), outcome)
    }
}
