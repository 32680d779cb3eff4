import Diagnostics
import Settings

/// Front matter between lines of `+++`.
///
/// A value has the place of its key: TOMLKit tells no other.
struct TOMLFrontMatter {
    private(set) var entries: [FrontMatterEntry] = []
    private(set) var diagnostics: [Diagnostic]

    init(_ toml: [UInt8], path: String, linesAbove: Int = 1) {
        let file = SettingsFile(toml, path: path, linesAbove: linesAbove)
        let root = file.root
        diagnostics = file.diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.message = "front matter \(diagnostic.message)"
            return diagnostic
        }
        entries = root.keys.compactMap { key in
            root.anything(key).map { Self.entry(key, $0, root.place(of: key)) }
        }.sorted { ($0.keyPlace.line, $0.key) < ($1.keyPlace.line, $1.key) }
    }

    private static func entry(_ key: String, _ value: SettingsValue, _ place: Place)
        -> FrontMatterEntry
    {
        FrontMatterEntry(key: key, keyPlace: place, value: self.value(value, place))
    }

    private static func value(_ value: SettingsValue, _ place: Place) -> FrontMatterValue {
        let content: FrontMatterValue.Content =
            switch value {
            case .text(let text), .date(let text): .scalar(text, bool: nil, number: nil)
            case .number(let number): .scalar(text(number), bool: nil, number: number)
            case .bool(let bool): .scalar("\(bool)", bool: bool, number: nil)
            case .list(let values): .list(values.map { self.value($0, place) })
            case .table(let entries): .table(entries.map { entry($0.key, $0.value, place) })
            }
        return FrontMatterValue(content: content, place: place)
    }

    /// `3`, where `3.0` was never written.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
