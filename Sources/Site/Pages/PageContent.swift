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
    /// Where the parts of the Markdown come from; `nil` if all of it is the file's.
    private let map: SourceMap?
    let inclusions: [Inclusion]
    /// Whether a form includes nothing, or means another file when another one is added.
    let hasOpenForms: Bool
    let diagnostics: [Diagnostic]

    /// Reads, splits and parses a file.
    init(
        reading file: SourceTree.File,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ includable: IncludableFiles?,
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
        let source = PageSource(text, file, configuration, options)
        let split = source.split
        frontMatter = source.frontMatter
        diagnostics += source.diagnostics
        let expansion = includable.flatMap {
            TextExpansion(
                IncludableText(
                    path: file.path,
                    displayPath: file.displayPath,
                    text: split.markdown,
                    linesBefore: split.linesBefore
                ),
                TextVariables(site: configuration.variables, page: source.frontMatter.variables),
                PageIncludes($0, configuration, options)
            )
        }
        let (map, linesBefore) = (expansion?.text.map, split.linesBefore)
        inclusions = expansion?.files.inclusions ?? []
        hasOpenForms = expansion?.isOpen ?? false
        let markdown = expansion?.text.bytes ?? split.markdown
        func location(_ range: SourceRange) -> SourceLocation {
            Self.location(range, file, map, linesBefore)
        }
        (self.map, self.linesBefore) = (map, linesBefore)
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
        diagnostics += (expansion?.diagnostics ?? []) + (expansion?.files.diagnostics ?? [])
        diagnostics += source.doubt(
            text,
            file,
            configuration,
            isSound: !diagnostics.contains(where: \.isFatal)
        )
        do {
            var document = try RenderedDocument(
                markdown,
                configuration.markdown(for: frontMatter)
            )
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
        Self.location(range, file, map, linesBefore)
    }

    private static func location(
        _ range: SourceRange,
        _ file: SourceTree.File,
        _ map: SourceMap?,
        _ linesBefore: Int
    ) -> SourceLocation {
        if let map {
            return map.location(.init(line: range.line, column: range.column), length: range.length)
        }
        return SourceLocation(
            file.displayPath,
            line: range.line + linesBefore,
            column: range.column,
            length: range.length
        )
    }

    /// The files that the links at a place are relative to; the second one if the first one has none.
    func linkBases(at range: SourceRange) -> (first: String, second: String?) {
        guard let map, !inclusions.isEmpty else { return (file.path, nil) }
        let origin = map.origin(of: .init(line: range.line, column: range.column))
        if origin.path == file.path { return (file.path, nil) }
        return origin.movesLinks ? (origin.path, file.path) : (file.path, origin.path)
    }
}
