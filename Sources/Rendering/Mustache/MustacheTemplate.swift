/// A template in the language [Mustache](https://mustache.github.io/mustache.5.html).
///
/// With its optional parts inheritance and names in values (`{{>*name}}`), without functions.
struct MustacheTemplate: Sendable {
    enum Tag: Sendable {
        /// `startsLine` is true for the first text of a line, which may be empty.
        case text([UInt8], startsLine: Bool)
        case value(Path, isEscaped: Bool)
        case section(Path, isInverted: Bool, MustacheTemplate)
        /// Another template; `blocks` are what it gets in place of its own.
        ///
        /// `indentation` is the white space before a tag at the start of a line, and stands before
        /// each line of the other template; `nil` for a tag within a line.
        case template(Name, indentation: [UInt8]?, blocks: [String: MustacheTemplate])
        /// What another template may replace; `indentation` stands before each line of that.
        case block(String, indentation: [UInt8]?, MustacheTemplate)
    }

    /// The names in `{{site.title}}`.
    final class Path: Sendable {
        /// `nil` in `{{.}}`.
        let first: String?
        let rest: [String]
        /// The number of the first name; see ``MustacheParser/template(_:numbers:translate:)``.
        let number: Int?
        /// Whether only the innermost value is asked: `{{.title}}`.
        let isLocal: Bool

        package init(_ text: String, _ numbers: [String: Int]) {
            let names = text.split(separator: ".").map(String.init)
            first = names.first
            rest = Array(names.dropFirst())
            number = names.first.flatMap { numbers[$0] }
            isLocal = text.hasPrefix(".")
        }
    }

    enum Name: Sendable {
        case fixed(String)
        /// A value that is the name.
        case value(Path)
    }

    /// A tag `{{>name}}` or `{{<name}}`, where the name is no value.
    struct Inclusion: Sendable {
        let name: String
        let line: Int
        /// In bytes, from 1.
        let column: Int
    }

    var tags: [Tag] = []
    /// In the whole text; empty for a part of a template.
    var inclusions: [Inclusion] = []
}
