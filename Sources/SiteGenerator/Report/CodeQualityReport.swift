import Diagnostics
import Jansson
import OpenSSL

/// All findings as a Code Quality report of GitLab, which shows them in merge requests.
struct CodeQualityReport {
    let text: String

    init(_ outcome: BuildOutcome) {
        var counts: [String: Int] = [:]
        let findings = outcome.diagnostics.map { diagnostic -> JSON in
            let path = diagnostic.location?.path ?? "sitegen.toml"
            let rule = diagnostic.rule ?? "failure"
            // Without the line: a finding that moves is not new.
            let key = [path, rule, diagnostic.subject ?? diagnostic.message].joined(separator: "\n")
            // GitLab shows one finding of each fingerprint.
            counts[key, default: 0] += 1
            let fingerprint = Digest.sha256(Array("\(key)\n\(counts[key] ?? 0)".utf8)).prefix(16)
            return [
                "description": .string(diagnostic.message), "check_name": .string(rule),
                "fingerprint": .string(Digest.hexadecimal(fingerprint)),
                "severity": .string(Self.severity(diagnostic)),
                "location": [
                    "path": .string(path),
                    "lines": ["begin": .integer(max(1, diagnostic.location?.line ?? 1))],
                ],
            ]
        }
        text = JSON.array(findings).text + "\n"
    }

    private static func severity(_ diagnostic: Diagnostic) -> String {
        switch diagnostic.severity {
        case .error: "critical"
        case .warning: "minor"
        case .note: "info"
        }
    }
}
