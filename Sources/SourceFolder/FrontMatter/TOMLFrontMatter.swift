import Diagnostics
import Settings

/// Front matter between lines of `+++`.
enum TOMLFrontMatter {
    static func read(_ toml: [UInt8], path: String, linesAbove: Int) -> ParsedFrontMatter {
        let file = SettingsFile(toml, path: path, linesAbove: linesAbove)
        let diagnostics = file.diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.message = "front matter \(diagnostic.message)"
            return diagnostic
        }
        return (file.root.entries.map(entry), diagnostics)
    }

    private static func entry(_ entry: SettingsValue.Entry) -> FrontMatterEntry {
        FrontMatterEntry(key: entry.key, keyLocation: entry.keyLocation, value: value(entry.value))
    }

    private static func value(_ value: SettingsValue) -> FrontMatterValue {
        let content: FrontMatterValue.Content =
            switch value.content {
            case .text(let text), .date(let text): .scalar(text, bool: nil, number: nil)
            case .number(let number, let text): .scalar(text, bool: nil, number: number)
            case .bool(let bool): .scalar("\(bool)", bool: bool, number: nil)
            case .list(let values): .list(values.map(self.value))
            case .table(let entries): .table(entries.map(entry))
            }
        return FrontMatterValue(content: content, location: value.location)
    }
}
