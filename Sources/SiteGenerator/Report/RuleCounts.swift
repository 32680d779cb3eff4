import Diagnostics
import Rules
import Site

/// The number of findings of each rule, printed after a long list.
struct RuleCounts {
    /// Empty for a short list.
    let text: String

    private static let longList = 50

    init(_ diagnostics: [Diagnostic]) {
        guard diagnostics.count > Self.longList else {
            text = ""
            return
        }
        let counts = Dictionary(grouping: diagnostics) { $0.rule ?? "" }.map { rule, found in
            (rule: rule, count: found.count, severity: found[0].severity)
        }
        let sorted = counts.sorted { ($1.count, $0.rule) < ($0.count, $1.rule) }
        let width = String(sorted[0].count).count
        let lines = sorted.map { entry in
            let count = String(entry.count)
            let indent = String(repeating: " ", count: width - count.count)
            let summary = Rule(rawValue: entry.rule)?.summary ?? "A finding without a rule."
            let name = entry.rule.isEmpty ? "\(entry.severity.rawValue)" : entry.rule
            return "  \(indent)\(count) \(name): \(summary)\n"
        }
        text = "findings by rule ('--rule NAME' prints those of one rule):\n" + lines.joined()
    }
}
