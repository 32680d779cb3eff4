import Diagnostics
import Jansson
import Rules

/// The findings that a person recorded, which are suppressed from then on.
///
/// An entry is a rule, a path and the author's words. It has no line, no count and nothing from
/// other files, so a finding stays suppressed when text moves or a heading of another page changes.
struct Baseline: Sendable, Equatable {
    struct Entry: Hashable, Sendable {
        let rule: String
        /// Relative to the folder of `sitegen.toml`, whatever the working folder is.
        let path: String
        /// The subject of the finding, or else its message.
        let subject: String
    }

    /// Why a file is not a baseline.
    struct Mistake: Error {
        let message: String
        let line: Int
    }

    private(set) var entries: Set<Entry> = []

    /// - Parameter folder: of `sitegen.toml`, empty or with a slash at its end.
    init(recording diagnostics: [Diagnostic], in folder: String) {
        entries = Set(diagnostics.compactMap { Self.entry($0, folder) })
    }

    init(parsing bytes: [UInt8]) throws(Mistake) {
        let text = DecodedText(bytes)
        if let mistake = text.mistake {
            throw Mistake(message: mistake.message, line: mistake.line)
        }
        let json: JSON
        do { json = try JSON(parsing: text.utf8) } catch {
            throw Mistake(message: "is not JSON: \(error.reason)", line: error.line)
        }
        if json["version"]?.integer == 1 {
            let remedy = "'--write-baseline' replaces it"
            throw Mistake(
                message: "has the format of version 1; \(remedy)",
                line: 1
            )
        }
        guard json["version"]?.integer == 2, let findings = json["findings"]?.array else {
            throw Mistake(message: "is not a baseline file of version 2", line: 1)
        }
        for finding in findings {
            guard let rule = finding["rule"]?.string, let path = finding["path"]?.string,
                let subject = finding["subject"]?.string
            else {
                throw Mistake(message: "has an entry without 'rule', 'path' or 'subject'", line: 1)
            }
            entries.insert(Entry(rule: rule, path: path, subject: subject))
        }
    }

    /// The file's text: one entry in each line, sorted, so that diffs stay small.
    var text: String {
        let lines = entries.sorted { Self.key($0) < Self.key($1) }.map { entry in
            let finding: JSON = [
                "path": .string(entry.path), "rule": .string(entry.rule),
                "subject": .string(entry.subject),
            ]
            return "\n" + finding.text
        }
        return "{\"version\":2,\"findings\":[\(lines.joined(separator: ","))\n]}\n"
    }

    /// Removes the findings that the baseline records.
    ///
    /// - Returns: the new findings, the number of suppressed ones, and the entries that no longer
    ///   occur.
    func split(
        _ diagnostics: [Diagnostic],
        in folder: String
    ) -> (new: [Diagnostic], known: Int, stale: [Entry]) {
        var left = entries
        var new: [Diagnostic] = []
        for diagnostic in diagnostics {
            if let entry = Self.entry(diagnostic, folder), entries.contains(entry) {
                left.remove(entry)
            } else {
                new.append(diagnostic)
            }
        }
        let stale = left.sorted { Self.key($0) < Self.key($1) }
        return (new, diagnostics.count - new.count, stale)
    }

    /// `nil` for a finding that no baseline may suppress.
    private static func entry(_ diagnostic: Diagnostic, _ folder: String) -> Entry? {
        guard let rule = diagnostic.rule.flatMap(Rule.init), rule.reasonToFailClosed == nil,
            diagnostic.severity != .note, let location = diagnostic.location
        else { return nil }
        let isBelow = location.path.hasPrefix(folder)
        let path = isBelow ? String(location.path.dropFirst(folder.count)) : location.path
        let subject = diagnostic.subject ?? diagnostic.message
        // On a busy machine, the program that finds a mistake in a drawing may not answer.
        let name = (rule == .noDrawings ? .drawing : rule).rawValue
        return Entry(rule: name, path: path, subject: subject)
    }

    private static func key(_ entry: Entry) -> (String, String, String) {
        (entry.path, entry.rule, entry.subject)
    }
}
