import Diagnostics

/// Reads the settings of a TOML file, and collects what is wrong with them.
///
/// Reading continues after a mistake, so that a person sees all mistakes at once.
public final class SettingsFile {
    public private(set) var diagnostics: [Diagnostic] = []
    /// The root table; empty if the text is not TOML.
    public var root: SettingsTable { SettingsTable(self, document.root, path: []) }

    private let document: TOMLDocument
    private let path: String
    private let linesAbove: Int
    private var asked: [ObjectIdentifier: Set<String>] = [:]

    /// - Parameters:
    ///   - path: as it appears in diagnostics.
    ///   - linesAbove: the number of lines above these bytes in the file.
    public init(_ bytes: [UInt8], path: String, linesAbove: Int = 0) {
        let text = DecodedText(bytes)
        document = TOMLDocument(text.utf8)
        self.path = path
        self.linesAbove = linesAbove
        if let mistake = text.mistake {
            diagnostics = [mistake.diagnostic(in: path, linesAbove: linesAbove)]
            return
        }
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

    /// The source text of a value.
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
