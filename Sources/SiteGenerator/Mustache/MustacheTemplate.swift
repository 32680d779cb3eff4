/// A template in the language [Mustache](https://mustache.github.io/mustache.5.html).
///
/// With its optional parts inheritance and names in values (`{{>*name}}`), without functions.
struct MustacheTemplate: Sendable {
    enum Tag: Sendable {
        case text([UInt8])
        case value(Path, isEscaped: Bool)
        case section(Path, isInverted: Bool, MustacheTemplate)
        /// Another template; `blocks` are what it gets in place of its own.
        case template(Name, indentation: [UInt8], blocks: [String: MustacheTemplate])
        /// What another template may replace.
        case block(String, indentation: [UInt8], MustacheTemplate)
    }

    /// The names in `{{site.title}}`.
    struct Path: Sendable {
        let names: [String]
        /// Whether only the innermost value is asked: `{{.title}}`.
        let isLocal: Bool

        init(_ text: String) {
            names = text.split(separator: ".").map(String.init)
            isLocal = text.hasPrefix(".")
        }
    }

    enum Name: Sendable {
        case fixed(String)
        /// A value that is the name.
        case value(Path)
    }

    /// What stands in place of a page whose templates include each other without an end.
    static let endless =
        "<p>This page cannot be shown: one of its templates includes itself without an end.</p>\n"

    var tags: [Tag] = []

    /// - Parameter templates: those that this one may use.
    func render(_ context: TemplateContext, _ templates: [String: MustacheTemplate]) -> [UInt8] {
        let renderer = MustacheRenderer(templates: templates, values: [context])
        let bytes = renderer.render(self)
        return renderer.limit.isExceeded ? Array(Self.endless.utf8) : bytes
    }
}
