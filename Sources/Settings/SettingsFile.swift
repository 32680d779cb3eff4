import Diagnostics
import TOMLKit

/// A TOML file while its settings are read, and what is wrong with them.
///
/// Reading goes on after a mistake, so that a person sees all of them at once.
public final class SettingsFile {
    public private(set) var diagnostics: [Diagnostic] = []
    /// The table without a name; empty where the text is no TOML.
    public var root: SettingsTable { SettingsTable(self, name: "", table) }

    private let table: TOMLTable
    private let places: TOMLPlaces
    private var asked: [String: Set<String>] = [:]

    /// - Parameters:
    ///   - path: as it is to stand in diagnostics.
    ///   - linesAbove: lines of the file that come before these bytes.
    public init(_ bytes: [UInt8], path: String, linesAbove: Int = 0) {
        let text = String(decoding: bytes, as: UTF8.self)
        places = TOMLPlaces(of: text, path: path, linesAbove: linesAbove)
        do {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw NotUTF8()
            }
            table = try TOMLTable(string: text)
        } catch {
            table = TOMLTable()
            diagnostics = [Self.diagnostic(error, path, linesAbove)]
        }
    }

    private struct NotUTF8: Error {}

    private static func diagnostic(
        _ error: any Error,
        _ path: String,
        _ linesAbove: Int
    ) -> Diagnostic {
        guard let error = error as? TOMLParseError else {
            return Diagnostic(.error, "is not UTF-8 text", at: Place(path))
        }
        let start = error.source.begin
        let place = Place(path, line: start.line + linesAbove, column: start.column)
        return Diagnostic(.error, "is not TOML: \(error.description.lowercased())", at: place)
    }

    /// The place of a key by its full dotted name.
    public func place(of key: String) -> Place { places[key] }

    public func report(_ message: String, at key: String) {
        diagnostics.append(Diagnostic(.error, message, at: places[key]))
    }

    func noteAsked(_ key: String, in table: String) { asked[table, default: []].insert(key) }

    func keysAsked(in table: String) -> Set<String> { asked[table] ?? [] }
}
