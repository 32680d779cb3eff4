import Access
import Diagnostics
import Markdown
import POSIX

/// A Markdown file that becomes a page: what other pages, lists and checks need of it.
public struct Page: Sendable {
    /// Why a page is not published.
    public enum UnpublishedReason: Sendable, Hashable {
        case draft
        /// Its `date` or `publishDate` is in the future.
        case future
        /// Its `expiryDate` has passed.
        case expired
    }

    let file: SourceTree.File
    /// The path of the URL, not encoded; begins and ends with `/`.
    let url: String
    let frontMatter: FrontMatter
    /// The document without its HTML, which ``PageBodies`` has.
    let document: RenderedDocument
    /// Where outline and words are kept; `nil` for a page that cannot be rendered, and in a check.
    let records: BuildIndex.PageRecords?
    /// The HTML; `nil` if the outline comes from the previous build.
    let body: PageBodies.Body?
    /// The cache key: a digest of the Markdown and of everything that decides how it is parsed.
    let key: [UInt8]
    /// The number of lines above the Markdown in the file.
    let linesBefore: Int
    /// `nil` for a page that is published.
    let unpublishedReason: UnpublishedReason?
    /// The date of the last change, `2026-11-22`, if known.
    var updated: String?
    /// The label of the page in `SUMMARY.md`.
    var summaryLabel: String?
    /// Whether the text begins with a heading.
    private let opensWithHeading: Bool
    var diagnostics: [Diagnostic]

    /// Reads, splits and parses a file.
    init(
        reading file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ bodies: PageBodies = PageBodies()
    ) {
        self.file = file
        diagnostics = []
        var text: [UInt8] = []
        do { text = try Self.read(file, &diagnostics) } catch {
            diagnostics.append(
                Diagnostic(.sourceFile, error.reason, at: SourceLocation(file.displayPath))
            )
        }
        let split = FrontMatterSplit(text)
        let groups = configuration.groups.map(\.name)
        linesBefore = split.linesBefore
        opensWithHeading = OpeningHeading.stands(in: split.markdown)
        if let matter = split.frontMatter {
            let reader = FrontMatterReader(
                matter,
                split.language,
                path: file.displayPath,
                linesAbove: split.linesAbove,
                groups: groups,
                isLenient: options.isLenient
            )
            frontMatter = reader.frontMatter
            diagnostics += reader.diagnostics.named(.frontMatter)
        } else {
            frontMatter = FrontMatter()
        }
        unpublishedReason = Self.unpublishedReason(frontMatter, options)
        updated = frontMatter.updated?.text
        url = SitePathName.url(ofPage: file.path, slug: frontMatter.slug?.text)
        if let slug = frontMatter.slug, SitePathName.isIndex(file.path) {
            let message = "'slug' has no effect on an index page; its URL is the folder's"
            diagnostics.append(Diagnostic(.uselessSlug, message, at: slug.location))
        }
        if let mistake = SitePathName.mistake(url) {
            diagnostics.append(
                Diagnostic(.sourceFile, mistake, at: SourceLocation(file.displayPath))
            )
        }
        if let mistake = split.mistake {
            diagnostics.append(
                Diagnostic(.frontMatter, mistake, at: SourceLocation(file.displayPath))
            )
        }
        if frontMatter.access == nil, !diagnostics.contains(where: { $0.severity == .error }) {
            if let found = SuspectedAccessKey.find(in: text, split, groups: groups) {
                diagnostics.append(found.diagnostic(file.displayPath))
            }
        }
        key = cache.identity.key(of: split.markdown)
        if let (outline, records) = cache.outline(of: key) {
            (document, self.records, body) = (outline, records, nil)
        } else {
            do {
                var document = try RenderedDocument(split.markdown, configuration.markdown)
                let terms = configuration.search ? PageTerms(document.html) : PageTerms()
                records = cache.keepsPages ? cache.keep(document, terms) : nil
                body = cache.keepsPages ? bodies.add(document.takeHTML()) : nil
                self.document = document
            } catch {
                (document, records, body) = (RenderedDocument(), nil, nil)
                let mistake = Diagnostic(
                    .sourceFile,
                    error.message,
                    at: location(SourceRange(line: error.line, column: 1))
                )
                diagnostics.append(mistake)
            }
        }
        for finding in document.diagnostics {
            let location = location(finding.range)
            diagnostics.append(Diagnostic(finding.kind, at: location))
        }
    }

    /// The text of a file.
    ///
    /// If it is not text, the reason is added to the diagnostics.
    private static func read(
        _ file: SourceTree.File,
        _ diagnostics: inout [Diagnostic]
    ) throws(SystemError) -> [UInt8] {
        let text = DecodedText(try file.read())
        if let mistake = text.mistake {
            let location = SourceLocation(
                file.displayPath,
                line: mistake.line,
                column: mistake.column
            )
            diagnostics.append(Diagnostic(.sourceFile, mistake.message, at: location))
        }
        return text.utf8
    }

    /// Parses the page again, to render a page whose outline comes from the cache.
    ///
    /// - Returns: `nil` if the file has changed since it was read.
    func parsedAgain(
        _ configuration: SiteConfiguration,
        _ identity: BuildIdentity
    ) -> RenderedDocument? {
        guard let bytes = try? file.read() else { return nil }
        let markdown = FrontMatterSplit(DecodedText(bytes).utf8).markdown
        guard identity.key(of: markdown) == key else { return nil }
        return try? RenderedDocument(markdown, configuration.markdown)
    }

    /// The path of its file in the release.
    var outputPath: String { "site\(url)index.html" }

    /// The title: from front matter, a heading of level 1, `SUMMARY.md`, a heading at the
    /// beginning, or the file's name, in this order.
    var title: String {
        if let title = frontMatter.title { return title }
        if let heading = document.headings.first(where: { $0.level == 1 }) {
            return Self.shortened(heading.text)
        }
        if let summaryLabel { return summaryLabel }
        if opensWithHeading, let heading = document.headings.first, !heading.text.isEmpty {
            return Self.shortened(heading.text)
        }
        return Self.humanized(url.split(separator: "/").last.map(String.init) ?? "Home")
    }

    /// The level of the heading that is the page's title, if the page has no heading of level 1.
    var titleLevel: Int? {
        guard opensWithHeading, let first = document.headings.first, first.text == title,
            !document.headings.contains(where: { $0.level == 1 })
        else { return nil }
        return first.level
    }

    /// Shortened, because a title is copied into every list, and a heading may be a megabyte long.
    private static func shortened(_ text: String) -> String {
        text.utf8.count <= 1000 ? text : text.prefix(300) + "…"
    }

    /// Converts a range of the Markdown to a location in the file.
    func location(_ range: SourceRange) -> SourceLocation {
        let line = range.line + linesBefore
        return SourceLocation(
            file.displayPath,
            line: line,
            column: range.column,
            length: range.length
        )
    }

    /// A name as people write it: `Travel costs` for `travel-costs`.
    static func humanized(_ name: String) -> String {
        let text = name.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func unpublishedReason(_ matter: FrontMatter, _ options: BuildOptions)
        -> UnpublishedReason?
    {
        if matter.isDraft, !options.included.contains(.draft) { return .draft }
        if let expiry = matter.expiry, expiry.seconds <= options.now,
            !options.included.contains(.expired)
        {
            return .expired
        }
        let days = [matter.date, matter.publication].compactMap(\.self)
        if days.contains(where: { $0.seconds > options.now }), !options.included.contains(.future) {
            return .future
        }
        return nil
    }
}
