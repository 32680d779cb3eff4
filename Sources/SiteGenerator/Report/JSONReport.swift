import Diagnostics
import Jansson

/// All findings as one JSON object; the handbook, "Checking a site", describes it.
struct JSONReport {
    let text: String

    init(_ outcome: BuildOutcome, _ summary: SummaryLine) {
        let findings = outcome.diagnostics.map { diagnostic -> JSON in
            var finding = JSON.Members()
            finding["rule"] = diagnostic.rule.map(JSON.string) ?? .null
            finding["severity"] = .string(diagnostic.severity.rawValue)
            Self.add(diagnostic.location, to: &finding)
            finding["message"] = .string(diagnostic.message)
            finding["notes"] = .array(
                diagnostic.notes.map { note in
                    var members = JSON.Members()
                    Self.add(note.location, to: &members)
                    members["message"] = .string(note.message)
                    return .object(members)
                }
            )
            return .object(finding)
        }
        let counts: JSON = [
            "pages": .integer(outcome.pages), "drafts": .integer(outcome.drafts),
            "errors": .integer(summary.errors), "warnings": .integer(summary.warnings),
            "notes": .integer(summary.notes), "known": .integer(outcome.suppressed),
            "release": outcome.release.map(JSON.integer) ?? .null,
            "milliseconds": .integer(summary.milliseconds),
        ]
        let report: JSON = ["version": 1, "findings": .array(findings), "summary": counts]
        text = report.text + "\n"
    }

    /// Path, line, column and length, each of them `null` where it is not known.
    private static func add(_ location: SourceLocation?, to members: inout JSON.Members) {
        let isLine = location.map { !$0.isWholeFile } ?? false
        members["path"] = location.map { .string($0.path) } ?? .null
        members["line"] = isLine ? location.map { .integer($0.line) } : .null
        members["column"] = isLine ? location.map { .integer($0.column) } : .null
        members["length"] = isLine ? (location?.length).map(JSON.integer) ?? .null : .null
    }
}
