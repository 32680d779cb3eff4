import Diagnostics

/// A finding for people: the line that editors click, then the line of the source it is about.
struct TextDiagnostic {
    let text: String

    init(_ diagnostic: Diagnostic, _ lines: inout SourceLines, _ palette: Palette) {
        func line(_ place: SourceLocation?, _ severity: Diagnostic.Severity, _ message: String)
            -> String
        {
            let start = place.map { "\($0.path):\($0.line):\($0.column)" } ?? "sitegen"
            return "\(palette.bold(SafeText.of(start) + ":")) \(palette.severity(severity)): "
                + SafeText.of(message)
        }
        let rule = diagnostic.rule.map { palette.quiet(" [\($0)]") } ?? ""
        var text = line(diagnostic.place, diagnostic.severity, diagnostic.message) + rule + "\n"
        if let place = diagnostic.place, let source = lines.line(of: place) {
            let excerpt = Excerpt(source.bytes, UnderlinedRange(of: place, in: source.bytes))
            let number = String(place.line)
            let indent = String(repeating: " ", count: max(0, 5 - number.utf8.count))
            text += palette.quiet("\(indent)\(number) | ") + excerpt.text + "\n"
            text += palette.quiet("      | ") + palette.mark(excerpt.mark) + "\n"
        }
        for note in diagnostic.notes {
            text += line(note.place ?? diagnostic.place, .note, note.message) + "\n"
        }
        self.text = text
    }
}
