import Bytes

/// Finds lines of a code block that another tool would replace by a file; readers of the page see
/// the directive instead of the code.
///
/// Pages that explain such a directive are not reported: those have the directive in a block of
/// Markdown or of templates, or escaped for the other tool, `\{{#include …}}` and `;--8<--`.
enum CodeIncludes {
    struct Found {
        /// In the code, from 0.
        let line: Int
        /// Bytes of the line before the directive.
        let indent: Int
        /// Bytes of the line.
        let length: Int
    }

    /// - Parameter language: of the code block.
    static func found(in code: Span<UInt8>, language: String?) -> [Found] {
        if let language, documentLanguages.contains(language.lowercased()) { return [] }
        var found: [Found] = []
        var line = 0
        var start = 0
        for index in code.indices {
            guard code[index] == .newline else { continue }
            if let indent = indent(in: code, start..<index) {
                found.append(Found(line: line, indent: indent, length: index - start))
            }
            line += 1
            start = index + 1
        }
        return found
    }

    /// Languages whose code may itself hold such directives.
    private static let documentLanguages: Set<String> = [
        "markdown", "md", "mdx", "rmd", "qmd", "handlebars", "hbs", "mustache",
    ]

    /// The bytes before a directive, where one stands on the line and nothing else.
    private static func indent(in code: Span<UInt8>, _ line: Range<Int>) -> Int? {
        var start = line.lowerBound
        while start < line.upperBound, code[start].isSpaceOrTab { start += 1 }
        // Most lines of code begin with another byte.
        guard start < line.upperBound, "{[-".utf8.contains(code[start]) else { return nil }
        var end = line.upperBound
        while code[end - 1].isWhitespace { end -= 1 }
        var text: [UInt8] = []
        for index in start..<min(end, start + 32) { text.append(code[index]) }
        let isBook =
            code[end - 1] == UInt8(ascii: "}")
            && bookDirectives.contains { text.starts(with: $0.utf8) }
        let isLearn = code[end - 1] == UInt8(ascii: "]") && text.starts(with: "[!code-".utf8)
        let isSnippet = text.starts(with: "--8<--".utf8)
        return isBook || isLearn || isSnippet ? start - line.lowerBound : nil
    }

    private static let bookDirectives = [
        "{{#include ", "{{#rustdoc_include ", "{{#playground ", "{{#playpen ",
    ]
}
