import Diagnostics
import SiteGenerator

/// The last line of a build.
struct BuildSummary {
    let text: String

    init(_ outcome: SiteBuild.Outcome, milliseconds: Int) {
        let errors = outcome.diagnostics.filter { $0.severity == .error }.count
        let warnings = outcome.diagnostics.count - errors
        let pages = Self.count(outcome.pages, "page")
        var parts: [String] = []
        if errors > 0 { parts.append(Self.count(errors, "error")) }
        if warnings > 0 { parts.append(Self.count(warnings, "warning")) }
        let findings = parts.joined(separator: ", ")
        guard let release = outcome.release else {
            text = "\(findings) in \(pages); nothing was published"
            return
        }
        let drafts = outcome.drafts > 0 ? ", \(Self.count(outcome.drafts, "draft")) left out" : ""
        let found = findings.isEmpty ? "" : ", \(findings)"
        let place = "release \(release) in '\(outcome.output)'"
        text = "\(pages)\(drafts)\(found); published \(place) in \(milliseconds) ms"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
