import Access
import Diagnostics
import Markdown
import POSIX

/// One Markdown file on its way to be a page.
struct Page: Sendable {
    let file: SourceTree.File
    /// The path in the address bar, not encoded; begins and ends with `/`.
    let url: String
    let frontMatter: FrontMatter
    let document: RenderedDocument
    /// Lines of the file above its Markdown.
    let linesBefore: Int
    var diagnostics: [Diagnostic]

    /// Reads, splits and renders a file.
    init(reading file: SourceTree.File, _ configuration: SiteConfiguration) {
        self.file = file
        url = SitePathName.url(ofPage: file.path)
        diagnostics = []
        var bytes: [UInt8] = []
        do { bytes = try File.read(file.diskPath) } catch {
            diagnostics.append(Diagnostic(.sourceFile, error.reason, at: Place(file.displayPath)))
        }
        if let mistake = SitePathName.mistake(url) {
            diagnostics.append(Diagnostic(.sourceFile, mistake, at: Place(file.displayPath)))
        }
        let split = FrontMatterSplit(bytes)
        linesBefore = split.linesBefore
        if let yaml = split.frontMatter {
            let reader = FrontMatterReader(
                yaml,
                path: file.displayPath,
                groups: configuration.groups.map(\.name)
            )
            frontMatter = reader.frontMatter
            diagnostics += reader.diagnostics.named(.frontMatter)
        } else {
            frontMatter = FrontMatter()
        }
        if let mistake = split.mistake {
            diagnostics.append(Diagnostic(.frontMatter, mistake, at: Place(file.displayPath)))
        }
        document = RenderedDocument(split.markdown, configuration.markdown)
        for finding in document.findings {
            let place = place(finding.line, finding.column, length: finding.length)
            diagnostics.append(Diagnostic(finding.kind, at: place))
        }
    }

    var title: String {
        if let title = frontMatter.title { return title }
        if let heading = document.headings.first(where: { $0.level == 1 }) { return heading.text }
        return Self.words(url.split(separator: "/").last.map(String.init) ?? "Home")
    }

    var linkTitle: String { frontMatter.linkTitle ?? title }

    /// A place in the Markdown as a place in the file.
    func place(_ line: Int, _ column: Int, length: Int? = nil) -> Place {
        Place(file.displayPath, line: line + linesBefore, column: column, length: length)
    }

    /// `travel-costs` as people would write it.
    static func words(_ name: String) -> String {
        let text = name.split { $0 == "-" || $0 == "_" }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
