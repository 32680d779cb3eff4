import Diagnostics
import POSIX
import Rules
import SourceFolder

/// The files that one page includes.
struct PageIncludes: IncludableTexts {
    private let available: IncludableFiles
    private let configuration: SiteConfiguration
    private let options: BuildOptions
    private(set) var inclusions: [Inclusion] = []
    /// What is doubtful about the readers of the included files.
    private(set) var diagnostics: [Diagnostic] = []
    /// What was read, by path: a form may stand a thousand times on a page.
    private var known: [String: IncludedFile] = [:]

    init(_ available: IncludableFiles, _ configuration: SiteConfiguration, _ options: BuildOptions)
    {
        self.available = available
        self.configuration = configuration
        self.options = options
    }

    var folder: String { available.folder }

    func has(_ path: String) -> Bool { available.file(path) != nil }

    func absence(of path: String) -> String { available.absence(of: path) }

    func paths(ofNote name: String, from path: String) -> [String] {
        available.paths(ofNote: name, from: path)
    }

    mutating func read(
        _ path: String,
        at location: SourceLocation,
        maximumBytes: Int
    ) throws(IncludeRefusal) -> IncludableText {
        guard let file = available.file(path) else {
            throw IncludeRefusal(message: absence(of: path))
        }
        let part: IncludedFile
        if let before = known[path] {
            part = before
        } else {
            if let size = file.state?.size, size > maximumBytes {
                throw IncludeRefusal(message: "'\(path)' is too large to be included here")
            }
            part = available.read(path) { IncludedFile(file, path, configuration, options) }
            diagnostics += part.diagnostics
            known[path] = part
        }
        let (text, frontMatter) = try part.content.get()
        inclusions.append(Inclusion(file: file, location: location, frontMatter: frontMatter))
        return text
    }
}

/// A file that pages include, as it was read; the same for all of them.
struct IncludedFile: Sendable {
    typealias Content = (text: IncludableText, frontMatter: FrontMatter)

    /// What it says, or why nobody may include it.
    let content: Result<Content, IncludeRefusal>
    /// What is doubtful about its readers.
    let diagnostics: [Diagnostic]

    init(
        _ file: SourceTree.File,
        _ path: String,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions
    ) {
        var diagnostics: [Diagnostic] = []
        do throws(IncludeRefusal) {
            let content = try Self.read(file, path, configuration, options, &diagnostics)
            self.content = .success(content)
        } catch { content = .failure(error) }
        self.diagnostics = diagnostics
    }

    private static func read(
        _ file: SourceTree.File,
        _ path: String,
        _ configuration: SiteConfiguration,
        _ options: BuildOptions,
        _ diagnostics: inout [Diagnostic]
    ) throws(IncludeRefusal) -> Content {
        let bytes: [UInt8]
        do { bytes = try file.read() } catch {
            throw IncludeRefusal(message: "'\(path)' cannot be included: \(error.reason)")
        }
        let text = DecodedText(bytes)
        if let mistake = text.mistake {
            throw IncludeRefusal(message: "'\(path)' is not a text: \(mistake.message)")
        }
        let source = PageSource(text.utf8, file, configuration, options)
        diagnostics += source.diagnostics.filter(\.isFatal)
        // Other tools have pages with other endings, which are no pages here.
        guard file.isMarkdown || file.isStraySource else {
            diagnostics += FrontMatterInFile.diagnostics(in: [file])
            let whole = IncludableText(path: path, displayPath: file.displayPath, text: text.utf8)
            return (whole, source.frontMatter)
        }
        diagnostics += source.doubt(text.utf8, file, configuration)
        let part = IncludableText(
            path: path,
            displayPath: file.displayPath,
            text: source.split.markdown,
            linesBefore: source.split.linesBefore
        )
        return (part, source.frontMatter)
    }
}
