import Diagnostics
import Markdown
import Rules
import Site
import SourceFolder

/// The templates of a site, by their file names without `.html`.
struct TemplateSet: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    private var templates: [String: MustacheTemplate] = [:]
    /// Without those that include each other without an end.
    private var linked: [String: LinkedTemplate] = [:]
    /// The HTML of `announcement.md`.
    private(set) var announcement: [UInt8] = []

    /// - Parameter texts: what `{{#text}}English words{{/text}}` stands for.
    init(
        _ sources: TemplateSources,
        _ texts: InterfaceTexts = .english,
        _ markdown: MarkdownOptions = MarkdownOptions()
    ) {
        var inclusions = TemplateInclusions()
        for file in sources.files
        where file.path.hasSuffix(".html") && !file.path.hasPrefix(Theme.folder) {
            let name = String(file.path.dropLast(".html".count))
            do throws(MustacheError) {
                let numbers = TemplateSlot.numbers
                let template = try MustacheParser.template(file.bytes, numbers: numbers) {
                    texts.html($0)
                }
                templates[name] = template
                inclusions.add(template.inclusions, of: name, file.displayPath)
            } catch {
                let location = SourceLocation(
                    file.displayPath,
                    line: error.line,
                    column: error.column
                )
                diagnostics.append(Diagnostic(.error, error.message, at: location))
            }
        }
        if let file = sources.files.first(where: { $0.path == "announcement.md" }) {
            do {
                announcement = try MarkdownFragment.html(file.bytes, markdown)
            } catch {
                let location = SourceLocation(file.displayPath, line: error.line)
                diagnostics.append(Diagnostic(.error, error.message, at: location))
            }
        }
        // The names of broken templates are not known.
        if diagnostics.isEmpty { diagnostics = inclusions.diagnostics(Set(templates.keys)) }
    }

    func has(_ name: String) -> Bool { templates[name] != nil }

    /// Templates of other files, and parts of templates.
    ///
    /// A page with one of them would lose its text.
    private static let internalNames: Set<String> = [
        "404", "502", "503", "above", "auth", "banner", "contact", "forbidden", "layout", "list",
        "meta", "moved", "paging", "recent", "search", "side",
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
                        + (TemplateInclusions.advice(template, Set(templates.keys))
                            ?? "; it would be '\(folder)/\(template).html'")
                } else {
                    ""
                }
            if message.isEmpty { return nil }
            return Diagnostic(.unknownTemplate, message, at: location, subject: template)
        }
    }

    /// What is shown in place of a page whose templates include each other without an end.
    static let endless =
        "<p>This page cannot be shown: one of its templates includes itself without an end.</p>\n"

    /// Prepares ``page(_:_:capacity:)``.
    ///
    /// - Parameter values: those that all pages have.
    mutating func link(_ values: TemplateValues) {
        let scope = MustacheScope(templates, constants: values.values)
        for name in templates.keys { linked[name] = try? scope.linked(name) }
    }

    /// Renders a page, and returns the range of its `content`, if that occurs once and unescaped.
    ///
    /// - Parameter capacity: the bytes for which space is reserved.
    /// - Precondition: ``has(_:)`` is true for the name.
    func page(
        _ name: String,
        _ values: TemplateValues,
        capacity: Int = 0
    ) -> (bytes: [UInt8], text: Range<Int>?) {
        var renderer = MustacheRenderer(numbered: values.values, capacity: capacity)
        guard let template = linked[name], (try? renderer.append(template)) != nil else {
            return (Array(Self.endless.utf8), nil)
        }
        return (renderer.page, renderer.content)
    }
}
