import Diagnostics

/// A finding as text: the line that editors can click, then an excerpt of the source.
struct TextDiagnostic {
    let text: String

    init(_ diagnostic: Diagnostic, _ lines: inout SourceLines, _ palette: Palette) {
        func line(_ location: SourceLocation?, _ severity: Diagnostic.Severity, _ message: String)
            -> String
        {
            let start = location?.text ?? "sitegen"
            return "\(palette.bold(SafeText.of(start) + ":")) \(palette.severity(severity)): "
                + SafeText.of(message)
        }
        let rule = diagnostic.rule.map { palette.quiet(" [\($0)]") } ?? ""
        var text = line(diagnostic.location, diagnostic.severity, diagnostic.message) + rule + "\n"
        if let location = diagnostic.location, let source = lines.line(of: location) {
            let excerpt = Excerpt(source.bytes, UnderlinedRange(of: location, in: source.bytes))
            let number = String(location.line)
            let indent = String(repeating: " ", count: max(0, 5 - number.utf8.count))
            text += palette.quiet("\(indent)\(number) | ") + excerpt.text + "\n"
            text += palette.quiet("      | ") + palette.mark(excerpt.mark) + "\n"
        }
        for note in diagnostic.notes {
            text += line(note.location ?? diagnostic.location, .note, note.message) + "\n"
        }
        self.text = text
    }
}
