import Diagnostics
import Settings

/// The levels of rules, as `[checks]` in `sitegen.toml` sets them.
public struct RuleSettings: Sendable, Equatable {
    enum Level: String, CaseIterable, Sendable { case error, warning, off }

    private var levels: [Rule: Level] = [:]

    public init() {}

    package mutating func read(_ table: SettingsTable) {
        for key in table.keys {
            guard let rule = Rule(rawValue: key) else {
                let hint = NearestName.hint(key, in: Rule.allCases.map(\.rawValue))
                table.report("unknown rule '\(key)' in [checks]\(hint)", atKey: key)
                continue
            }
            guard let word = table.string(key) else { continue }
            guard let level = Level(rawValue: word) else {
                let message = "'\(key)' is '\(word)'; it must be 'error', 'warning' or 'off'"
                table.report(message, at: key)
                continue
            }
            if let reason = rule.reasonToFailClosed, level != .error {
                table.report("'\(key)' is always an error: \(reason)", at: key)
                continue
            }
            levels[rule] = level
        }
    }

    /// The finding with the level of its rule, or `nil` if the rule is off.
    package func applied(to diagnostic: Diagnostic) -> Diagnostic? {
        guard let rule = diagnostic.rule.flatMap(Rule.init), let level = levels[rule] else {
            return diagnostic
        }
        var diagnostic = diagnostic
        switch level {
        case .error: diagnostic.severity = .error
        case .warning: diagnostic.severity = .warning
        case .off: return nil
        }
        return diagnostic
    }
}
