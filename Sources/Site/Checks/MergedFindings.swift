import Diagnostics
import Rules
import SourceFolder

/// Reports what one tool leaves on all pages of a site once, at its first location: a book from
/// another tool has thousands of its keys and constructs, and one line is enough to act on.
enum MergedFindings {
    private static let rules: [Rule] = [
        .unknownConstruct, .unknownKey, .unknownTemplate, .unnamedPage,
    ]

    /// - Parameter shown: the rules whose findings are all wanted.
    static func merge(_ diagnostics: [Diagnostic], exceptOf shown: Set<Rule>) -> [Diagnostic] {
        let merged = rules.filter { !shown.contains($0) }
        var uses: [String: [Diagnostic]] = [:]
        var rest: [Diagnostic] = []
        for diagnostic in diagnostics {
            if let rule = diagnostic.rule.flatMap(Rule.init), merged.contains(rule) {
                uses["\(rule) \(diagnostic.subject ?? diagnostic.message)", default: []]
                    .append(diagnostic)
            } else {
                rest.append(diagnostic)
            }
        }
        var hints: [String: String] = [:]
        return rest.map { explained($0, &hints) }
            + uses.values.compactMap { uses in
                guard var first = uses.min() else { return nil }
                first = explained(first, &hints)
                let pages = Set(uses.map { $0.location?.path }).count
                let times = uses.count == 1 ? "once" : "\(uses.count) times"
                if uses.count == 1, first.rule != Rule.unknownConstruct.rawValue { return first }
                first.message += "; \(times)" + (pages == 1 ? "" : " in \(pages) pages")
                return first
            }
    }

    /// Findings about an included text, each once, with the places that include it.
    ///
    /// A text of one line may stand on a thousand pages.
    static func joined(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        guard diagnostics.contains(where: { !($0.location?.includedAt.isEmpty ?? true) }) else {
            return diagnostics
        }
        var found: [Diagnostic] = []
        var places: [Int: [[SourceLocation]]] = [:]
        var known: [Diagnostic: Int] = [:]
        for var diagnostic in diagnostics {
            let chain = diagnostic.location?.includedAt ?? []
            diagnostic.location?.includedAt = []
            if let index = known[diagnostic], !chain.isEmpty || places[index] != nil {
                places[index, default: []].append(chain)
                continue
            }
            known[diagnostic] = found.count
            if !chain.isEmpty { places[found.count] = [chain] }
            found.append(diagnostic)
        }
        for (index, all) in places {
            let chains = all.filter { !$0.isEmpty }
            let key = { (chain: [SourceLocation]) in (chain[0].path, chain[0].line, chain[0].column)
            }
            guard let first = chains.min(by: { key($0) < key($1) }) else { continue }
            found[index].notes += first.enumerated().map { depth, place in
                let isLast = depth == 0 && chains.count > 1
                let more = chains.count == 2 ? "1 more place" : "\(chains.count - 1) more places"
                let others = isLast ? ", and in \(more)" : ""
                return Diagnostic.Note("included here\(others)", at: place)
            }
        }
        return found
    }

    /// The finding with the name that an unknown key may have been meant to be.
    ///
    /// Only here, where findings are few: comparing names takes time.
    private static func explained(
        _ diagnostic: Diagnostic,
        _ hints: inout [String: String]
    ) -> Diagnostic {
        guard diagnostic.rule == Rule.unknownKey.rawValue, let key = diagnostic.subject,
            FrontMatter.key(named: key) == nil
        else { return diagnostic }
        let meant = FrontMatter.meanings[key.lowercased()].map { "; did you mean '\($0)'?" }
        let hint = hints[key] ?? meant ?? NearestName.hint(key, in: FrontMatter.allNames)
        hints[key] = hint
        var diagnostic = diagnostic
        diagnostic.message += hint
        return diagnostic
    }
}
