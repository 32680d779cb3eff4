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

    /// - Parameter path: as it is to stand in diagnostics.
    public init(_ bytes: [UInt8], path: String) {
        let text = String(decoding: bytes, as: UTF8.self)
        places = TOMLPlaces(of: text, path: path)
        do {
            guard String(validating: bytes, as: UTF8.self) != nil else {
                throw NotUTF8()
            }
            table = try TOMLTable(string: text)
        } catch {
            table = TOMLTable()
            diagnostics = [Self.diagnostic(error, path)]
        }
    }

    private struct NotUTF8: Error {}

    private static func diagnostic(_ error: any Error, _ path: String) -> Diagnostic {
        guard let error = error as? TOMLParseError else {
            return Diagnostic(.error, "is not UTF-8 text", at: Place(path))
        }
        let place = Place(path, line: error.source.begin.line, column: error.source.begin.column)
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
