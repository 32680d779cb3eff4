import Diagnostics

/// A finding as a workflow command of GitHub Actions, which shows the finding beside the line.
struct GitHubCommand {
    let text: String

    init(_ diagnostic: Diagnostic, _ lines: inout SourceLines) {
        let command =
            switch diagnostic.severity {
            case .error: "error"
            case .warning: "warning"
            case .note: "notice"
            }
        var properties: [(String, String)] = []
        if let location = diagnostic.location {
            properties.append(("file", location.path))
            if location.hasLines { properties.append(("line", "\(location.line)")) }
            if let line = lines.line(of: location) {
                let columns = UnderlinedRange(of: location, in: line.bytes).utf16Columns(in: line)
                properties += [("col", "\(columns.start)"), ("endColumn", "\(columns.end)")]
            } else if location.hasLines {
                properties.append(("col", "\(location.column)"))
            }
        }
        if let rule = diagnostic.rule { properties.append(("title", rule)) }
        let list = properties.map { "\($0)=\(Self.escape($1, isProperty: true))" }
        let notes = diagnostic.notes.map { note in
            "\nnote: " + (note.location.map { "\($0.path): " } ?? "") + note.message
        }
        let message = Self.escape(diagnostic.message + notes.joined(), isProperty: false)
        let space = list.isEmpty ? "" : " "
        text = "::\(command)\(space)\(list.joined(separator: ","))::\(message)\n"
    }

    /// Escapes as `@actions/core` does: characters that end a property or the command are encoded.
    private static func escape(_ text: String, isProperty: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            case ":" where isProperty: escaped += "%3A"
            case "," where isProperty: escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
