import Diagnostics

/// A TOML file while its settings are read, and what is wrong with them.
///
/// Reading goes on after a mistake, so that a person sees all of them at once.
public final class SettingsFile {
    public private(set) var diagnostics: [Diagnostic] = []
    /// The table without a name; empty where the text is not TOML.
    public var root: SettingsTable { SettingsTable(self, document.root, path: []) }

    private let document: TOMLDocument
    private let path: String
    private let linesAbove: Int
    private var asked: [ObjectIdentifier: Set<String>] = [:]

    /// - Parameters:
    ///   - path: as it is to stand in diagnostics.
    ///   - linesAbove: lines of the file that come before these bytes.
    public init(_ bytes: [UInt8], path: String, linesAbove: Int = 0) {
        document = TOMLDocument(bytes)
        self.path = path
        self.linesAbove = linesAbove
        diagnostics = document.mistakes.map { mistake in
            let notes = mistake.note.map { [Diagnostic.Note($0.message, at: location($0.range))] }
            return Diagnostic(
                .error,
                mistake.message,
                at: location(mistake.range),
                notes: notes ?? []
            )
        }
    }

    /// The file as a whole.
    var wholeFile: SourceLocation { SourceLocation(path) }

    func location(_ range: Range<Int>) -> SourceLocation {
        let (line, column) = document.source.position(of: range.lowerBound)
        // A length of 0 would mean the whole file.
        return SourceLocation(
            path,
            line: linesAbove + line,
            column: column,
            length: max(range.count, 1)
        )
    }

    /// The text of a value as it is written.
    func text(_ range: Range<Int>) -> String {
        String(decoding: document.source.bytes[range], as: UTF8.self)
    }

    func report(_ message: String, at location: SourceLocation) {
        diagnostics.append(Diagnostic(.error, message, at: location))
    }

    func noteAsked(_ key: String, in table: TOMLTable) {
        asked[ObjectIdentifier(table), default: []].insert(key)
    }

    func keysAsked(in table: TOMLTable) -> Set<String> { asked[ObjectIdentifier(table)] ?? [] }
}
