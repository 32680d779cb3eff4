import Diagnostics
import Jansson
import Rules
import Site
import SourceFolder

/// All findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which GitHub,
/// Azure DevOps and editors show.
struct SARIFReport {
    let text: String

    init(_ outcome: BuildOutcome, _ lines: inout SourceLines) {
        var results: [JSON] = []
        for diagnostic in outcome.diagnostics { results.append(Self.result(diagnostic, &lines)) }
        let driver: JSON = [
            "name": "sitegen",
            "rules": .array(
                Rule.allCases.map { rule in
                    [
                        "id": .string(rule.rawValue),
                        "shortDescription": ["text": .string(rule.summary)],
                        "defaultConfiguration": ["level": .string(rule.defaultSeverity.rawValue)],
                    ]
                }
            ),
        ]
        let run: JSON = [
            "tool": ["driver": driver], "columnKind": "utf16CodeUnits",
            "results": .array(results),
        ]
        let log: JSON = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [run],
        ]
        text = log.text + "\n"
    }

    private static func result(_ diagnostic: Diagnostic, _ lines: inout SourceLines) -> JSON {
        var result = JSON.Members()
        if let rule = diagnostic.rule.flatMap(Rule.init) {
            result["ruleId"] = .string(rule.rawValue)
            result["ruleIndex"] = Rule.allCases.firstIndex(of: rule).map(JSON.integer)
        }
        result["level"] = .string(diagnostic.severity.rawValue)
        // Notes without a location are added to the message.
        let remarks = diagnostic.notes.filter { $0.location == nil }.map { "; \($0.message)" }
        result["message"] = ["text": .string(diagnostic.message + remarks.joined())]
        if let location = diagnostic.location {
            result["locations"] = [["physicalLocation": physicalLocation(location, &lines)]]
        }
        var related: [JSON] = []
        for note in diagnostic.notes {
            guard let location = note.location else { continue }
            related.append([
                "physicalLocation": physicalLocation(location, &lines),
                "message": ["text": .string(note.message)],
            ])
        }
        if !related.isEmpty { result["relatedLocations"] = .array(related) }
        return .object(result)
    }

    private static func physicalLocation(_ location: SourceLocation, _ lines: inout SourceLines)
        -> JSON
    {
        let path = SitePathName.encode(location.path)
        // RFC 3986, section 4.2: a first segment with a colon would be read as a scheme, so the
        // colon is encoded.
        let uri = path.hasPrefix("/") ? "file://\(path)" : path
        var physical: JSON.Members = ["artifactLocation": ["uri": .string(uri)]]
        if location.isWholeFile { return .object(physical) }
        var region: JSON.Members = ["startLine": .integer(location.line)]
        if let line = lines.line(of: location) {
            let columns = UnderlinedRange(of: location, in: line.bytes).utf16Columns(in: line)
            region["startColumn"] = .integer(columns.start)
            region["endColumn"] = .integer(columns.end)
        }
        physical["region"] = .object(region)
        return .object(physical)
    }
}
