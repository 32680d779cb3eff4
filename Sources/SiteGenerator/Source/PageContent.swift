import Access
import Diagnostics
import Markdown
import OpenSSL
import POSIX

/// What the file of a page says.
final class PageContent: Sendable {
    let file: SourceTree.File
    let url: String
    let frontMatter: FrontMatter
    let document: RenderedDocument
    let records: BuildIndex.PageRecords?
    let body: PageBodies.Body?
    let key: [UInt8]
    let matter: [UInt8]
    /// A digest of everything that the rest of the site takes from the page: if it stays the same,
    /// only the page itself and the search change.
    ///
    /// Empty for a page with findings, whose places in the file may change.
    let interface: [UInt8]
    /// The number of lines above the Markdown in the file.
    private let linesBefore: Int
    let unpublishedReason: Page.UnpublishedReason?
    /// Whether the text begins with a heading.
    let opensWithHeading: Bool
    let diagnostics: [Diagnostic]

    /// Reads, splits and parses a file.
    init(
        reading file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ cache: BuildCache,
        _ bodies: PageBodies,
        _ tools: CodeTools?
    ) {
        self.file = file
        var diagnostics: [Diagnostic] = []
        var text: [UInt8] = []
        do { text = try Self.read(file, &diagnostics) } catch {
            diagnostics.append(
                Diagnostic(.sourceFile, error.reason, at: SourceLocation(file.displayPath))
            )
        }
        let split = FrontMatterSplit(text)
        let groups = configuration.groups.map(\.name)
        let linesBefore = split.linesBefore
        func location(_ range: SourceRange) -> SourceLocation {
            Self.location(range, file, linesBefore)
        }
        self.linesBefore = linesBefore
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
                let isSearched = configuration.search && cache.keepsPages
                let terms = isSearched ? PageTerms(document.html) : PageTerms()
                if unpublishedReason == nil { tools?.add(document, location: location) }
                let html = document.takeHTML()
                records = cache.keepsPages ? cache.keep(document, terms) : nil
                body = cache.keepsPages ? bodies.add(html) : nil
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
            diagnostics.append(Diagnostic(finding.kind, at: location(finding.range)))
        }
        self.diagnostics = diagnostics
        matter = Digest.sha256(Array(text.dropLast(split.markdown.count)))
        let isQuiet = diagnostics.isEmpty && document.foreignUses.isEmpty
        interface =
            isQuiet && records != nil
            ? Digest.sha256(matter + [opensWithHeading ? 1 : 0] + document.interface) : []
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

    /// The text of a file.
    ///
    /// If it is not text, the reason is added to the diagnostics.
    private static func read(
        _ file: SourceTree.File,
        _ diagnostics: inout [Diagnostic]
    ) throws(SystemError) -> [UInt8] {
        let text = DecodedText(try file.read())
        if let mistake = text.mistake {
            diagnostics += [mistake.diagnostic(in: file.displayPath)].named(.sourceFile)
        }
        return text.utf8
    }

    /// Converts a range of the Markdown to a location in the file.
    func location(_ range: SourceRange) -> SourceLocation {
        Self.location(range, file, linesBefore)
    }

    private static func location(
        _ range: SourceRange,
        _ file: SourceTree.File,
        _ linesBefore: Int
    ) -> SourceLocation {
        SourceLocation(
            file.displayPath,
            line: range.line + linesBefore,
            column: range.column,
            length: range.length
        )
    }

    private static func unpublishedReason(_ matter: FrontMatter, _ options: BuildOptions)
        -> Page.UnpublishedReason?
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
