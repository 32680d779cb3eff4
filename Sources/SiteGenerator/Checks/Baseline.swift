import Diagnostics
import Jansson

/// Findings that were there when somebody began to look, and are let pass.
///
/// An entry names no line: text moves, and what was known stays known. It has a count instead, so
/// that a second finding like it is new.
struct Baseline: Sendable, Equatable {
    struct Entry: Hashable, Sendable {
        let rule: String
        /// Relative to the folder of `sitegen.toml`, wherever the command was started.
        let path: String
        let message: String
    }

    /// Why a file is no baseline.
    struct Mistake: Error {
        let message: String
        let line: Int
    }

    private(set) var counts: [Entry: Int] = [:]

    /// - Parameter folder: of `sitegen.toml`, empty or with a slash at its end.
    init(recording diagnostics: [Diagnostic], in folder: String) {
        for diagnostic in diagnostics {
            if let entry = Self.entry(diagnostic, folder) { counts[entry, default: 0] += 1 }
        }
    }

    init(parsing bytes: [UInt8]) throws(Mistake) {
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch {
            throw Mistake(message: "is not JSON: \(error.reason)", line: error.line)
        }
        guard json["version"]?.integer == 1, let findings = json["findings"]?.array else {
            throw Mistake(message: "is not a baseline of version 1", line: 1)
        }
        for finding in findings {
            guard let rule = finding["rule"]?.string, let path = finding["path"]?.string,
                let message = finding["message"]?.string, let count = finding["count"]?.integer,
                count > 0
            else {
                throw Mistake(message: "an entry lacks its rule, path, message or count", line: 1)
            }
            counts[Entry(rule: rule, path: path, message: message), default: 0] += count
        }
    }

    /// The file's text: an entry a line, in an order that keeps differences small.
    var text: String {
        let lines = counts.sorted { Self.key($0.key) < Self.key($1.key) }.map { entry, count in
            let finding: JSON = [
                "path": .string(entry.path), "rule": .string(entry.rule),
                "message": .string(entry.message), "count": .integer(count),
            ]
            return "\n" + finding.text
        }
        return "{\"version\":1,\"findings\":[\(lines.joined(separator: ","))\n]}\n"
    }

    /// Takes out what is recorded.
    ///
    /// - Returns: what is new, how many were taken out, and the entries that occur less often than
    ///   they did.
    func split(
        _ diagnostics: [Diagnostic],
        in folder: String
    ) -> (new: [Diagnostic], known: Int, stale: [Entry]) {
        var left = counts
        var new: [Diagnostic] = []
        for diagnostic in diagnostics {
            if let entry = Self.entry(diagnostic, folder), let count = left[entry], count > 0 {
                left[entry] = count - 1
            } else {
                new.append(diagnostic)
            }
        }
        let stale = left.filter { $0.value > 0 }.keys.sorted { Self.key($0) < Self.key($1) }
        return (new, diagnostics.count - new.count, stale)
    }

    /// `nil` for what no baseline lets pass.
    private static func entry(_ diagnostic: Diagnostic, _ folder: String) -> Entry? {
        guard let rule = diagnostic.rule.flatMap(Rule.init), rule.reasonToFailClosed == nil,
            diagnostic.severity != .note, let place = diagnostic.place
        else { return nil }
        let isBelow = place.path.hasPrefix(folder)
        let path = isBelow ? String(place.path.dropFirst(folder.count)) : place.path
        return Entry(rule: rule.rawValue, path: path, message: diagnostic.message)
    }

    private static func key(_ entry: Entry) -> (String, String, String) {
        (entry.path, entry.rule, entry.message)
    }
}
