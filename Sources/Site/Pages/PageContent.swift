import Access
import Diagnostics
import Markdown
import POSIX
import Rules
import SourceFolder

/// What the file of a page says.
final class PageContent: Sendable {
    let file: SourceTree.File
    let url: String
    let frontMatter: FrontMatter
    let document: RenderedDocument
    let body: PageBody?
    /// The number of lines above the Markdown in the file.
    private let linesBefore: Int
    let diagnostics: [Diagnostic]

    /// Reads, splits and parses a file.
    init(
        reading file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ taker: PageBody.Taker?
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
        if let matter = split.frontMatter {
            let reader = FrontMatterReader(
                matter,
                split.language,
                path: file.displayPath,
                linesAbove: split.linesAbove,
                groups: groups,
                ignored: configuration.ignoredKeys,
                isLenient: options.isLenient
            )
            frontMatter = reader.frontMatter
            diagnostics += reader.diagnostics.named(.frontMatter)
        } else {
            frontMatter = FrontMatter()
        }
        url = SitePathName.url(
            ofPage: file.path,
            slug: frontMatter.slug?.text,
            isIndex: file.isIndex
        )
        if file.isBesideIndex, frontMatter.access != nil {
            // Who moved the folder's text to 'index.md' must move its rule, too.
            let message = "has 'access', but 'index.md' is the page of this folder; move it there"
            let location = frontMatter.accessLocation
            diagnostics.append(Diagnostic(.duplicateOutput, message, at: location))
        }
        if let slug = frontMatter.slug, file.isIndex {
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
        if frontMatter.access == nil, !diagnostics.contains(where: \.isFatal) {
            if let found = SuspectedAccessKey.find(in: text, split, groups: groups) {
                diagnostics.append(found.diagnostic(file.displayPath))
            }
        }
        do {
            var document = try RenderedDocument(split.markdown, configuration.markdown)
            let isPublished = frontMatter.unpublishedReason(options) == nil
            body = taker?(&document, isPublished, location)
            if body == nil { _ = document.takeHTML() }
            self.document = document
        } catch {
            (document, body) = (RenderedDocument(), nil)
            let mistake = Diagnostic(
                .sourceFile,
                error.message,
                at: location(SourceRange(line: error.line, column: 1))
            )
            diagnostics.append(mistake)
        }
        for finding in document.diagnostics {
            diagnostics.append(Diagnostic(finding.kind, at: location(finding.range)))
        }
        self.diagnostics = diagnostics
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
}
