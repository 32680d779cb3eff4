import Diagnostics
import Mustache
import OpenSSL

/// The templates of a site, by their file names without `.html`.
struct TemplateSet: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    private var library = MustacheLibrary()
    private var names: Set<String> = []
    /// Whether a template computes with its values, so that none can be compiled.
    let computes: Bool
    /// A digest of all templates, because each may include any other.
    let digest: [UInt8]

    init(_ sources: TemplateSources) {
        var key: [UInt8] = []
        for file in sources.files where file.path.hasSuffix(".html") {
            key += Digest.sha256(Array(file.path.utf8)) + Digest.sha256(file.bytes)
        }
        digest = Digest.sha256(key)
        var computes = false
        var inclusions = TemplateInclusions()
        for file in sources.files
        where file.path.hasSuffix(".html") && !file.path.hasPrefix(Theme.folder) {
            let name = String(file.path.dropLast(".html".count))
            do {
                let text = String(decoding: file.bytes, as: UTF8.self)
                computes = computes || Self.computes(text)
                library.register(try MustacheTemplate(string: text), named: name)
                names.insert(name)
                inclusions.add(TemplateTags(text), of: name, file.displayPath)
            } catch {
                diagnostics.append(Self.diagnostic(error, file))
            }
        }
        self.computes = computes
        // The names of broken templates are not known.
        if diagnostics.isEmpty { diagnostics = inclusions.diagnostics(names) }
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// Templates of other files, and parts of templates.
    ///
    /// A page with one of them would lose its text.
    private static let internalNames: Set<String> = [
        "404", "502", "503", "above", "auth", "forbidden", "layout", "list", "meta", "moved",
        "paging", "search", "side",
    ]

    /// The template of a page: the one it names, if it may use it, otherwise `page`.
    func name(ofPage page: Page) -> String {
        let name = page.frontMatter.template?.text ?? "page"
        return has(name) && !Self.internalNames.contains(name) ? name : "page"
    }

    /// - Parameter folder: the templates folder.
    func diagnostics(for pages: [Page], _ folder: String) -> [Diagnostic] {
        // A broken template is already reported.
        if !diagnostics.isEmpty { return [] }
        return pages.compactMap { page in
            guard let (template, location) = page.frontMatter.template else { return nil }
            let message =
                if Self.internalNames.contains(template) {
                    "template '\(template)' is not for pages; the text of this page would be missing"
                } else if !has(template) {
                    "there is no template '\(template)'"
                        + (TemplateInclusions.advice(template, names)
                            ?? "; it would be '\(folder)/\(template).html'")
                } else {
                    ""
                }
            if message.isEmpty { return nil }
            return Diagnostic(.unknownTemplate, message, at: location, subject: template)
        }
    }

    /// Renders by Mustache.
    ///
    /// - Precondition: ``has(_:)`` is true for the name.
    func render(_ name: String, _ context: TemplateContext) -> String {
        library.render(context, withTemplate: name) ?? ""
    }

    /// Whether a template does more than insert values: calls a function, uses a value as the name
    /// of a template, or changes the delimiters.
    private static func computes(_ template: String) -> Bool {
        template.split(separator: "{{", omittingEmptySubsequences: false).dropFirst().contains {
            guard !$0.hasPrefix("!") else { return false }
            let tag = $0.prefix { $0 != "}" }
            return tag.hasPrefix("=") || tag.contains("(") || tag.contains("*")
        }
    }

    private static func diagnostic(_ error: any Error, _ file: TemplateSources.File) -> Diagnostic {
        guard let error = error as? MustacheTemplate.ParserError else {
            return Diagnostic(.error, "\(error)", at: SourceLocation(file.displayPath))
        }
        let tags = TemplateTags(String(decoding: file.bytes, as: UTF8.self))
        var (line, column) = (error.context.lineNumber, error.context.columnNumber)
        var message =
            switch error.error as? MustacheTemplate.Error {
            case .sectionCloseNameIncorrect: "this tag closes another section than the open one"
            case .unfinishedName: "a tag is not closed with '}}'"
            case .expectedSectionEnd: "a section is not closed"
            default: "is not a Mustache template (\(error.error))"
            }
        if case .sectionCloseNameIncorrect = error.error as? MustacheTemplate.Error,
            let tag = tags.unopened, tag.line == line
        {
            column = tag.column
            message = "'{{/\(tag.name)}}' closes a section that is not open"
        } else if !(error.error is MustacheTemplate.Error), let tag = tags.unfinished {
            // The parser read to the end of the file.
            (line, column) = (tag.line, tag.column)
            message = "a tag is not closed with '}}'"
        }
        let location = SourceLocation(file.displayPath, line: line, column: column)
        return Diagnostic(.error, message, at: location)
    }
}
