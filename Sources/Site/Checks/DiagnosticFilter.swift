import Diagnostics
import POSIX
import Rules

/// Filters findings before they are printed: by the levels in `[checks]`, then by the baseline,
/// then by `--strict`.
package struct DiagnosticFilter {
    package let settings: RuleSettings
    package let options: CheckOptions
    /// The folder of `sitegen.toml`: empty, or with a slash at its end.
    package let folder: String

    package init(settings: RuleSettings, options: CheckOptions, folder: String) {
        self.settings = settings
        self.options = options
        self.folder = folder
    }

    /// - Returns: the remaining findings, sorted, and the number of suppressed ones.
    package func apply(_ found: [Diagnostic]) -> (diagnostics: [Diagnostic], suppressed: Int) {
        var diagnostics = found.compactMap(settings.applied)
        var suppressed = 0
        if let path = options.baseline {
            let (rest, count) = compare(diagnostics, withBaselineIn: path)
            diagnostics = rest
            suppressed = count
        } else if options.writesBaseline {
            let message =
                "'--write-baseline' needs '--baseline FILE', or 'baseline' in sitegen.toml"
            let location = SourceLocation(withoutLines: folder + SiteFolders.usualFile)
            diagnostics.append(Diagnostic(.configuration, message, at: location))
        }
        diagnostics = MergedFindings.merge(
            MergedFindings.joined(diagnostics),
            exceptOf: options.shownRules
        )
        if options.isStrict {
            diagnostics = diagnostics.map { diagnostic in
                var diagnostic = diagnostic
                if diagnostic.severity == .warning { diagnostic.severity = .error }
                return diagnostic
            }
        }
        return (diagnostics.sorted(), suppressed)
    }

    private func compare(
        _ diagnostics: [Diagnostic],
        withBaselineIn path: String
    ) -> (rest: [Diagnostic], suppressed: Int) {
        do {
            var baseline = Baseline(recording: diagnostics, in: folder)
            if options.writesBaseline {
                try File.write(Array(baseline.text.utf8), to: path)
            } else {
                baseline = try Baseline(parsing: File.read(path))
            }
            let (new, suppressed, stale) = baseline.split(diagnostics, in: folder)
            return (new + Self.report(stale, path), suppressed)
        } catch let mistake as Baseline.Mistake {
            let location = SourceLocation(path, line: mistake.line, length: 0)
            let broken = Diagnostic(.configuration, "baseline \(mistake.message)", at: location)
            return (diagnostics + [broken], 0)
        } catch {
            let missing = (error as? SystemError)?.isMissingFile == true
            let advice = missing ? "; '--write-baseline' creates it" : ""
            return (diagnostics + [Diagnostic(.error, "\(error)\(advice)", at: nil)], 0)
        }
    }

    private static func report(_ stale: [Baseline.Entry], _ path: String) -> [Diagnostic] {
        if stale.isEmpty { return [] }
        let message =
            stale.count == 1
            ? "1 entry of the baseline no longer occurs; '--write-baseline' removes it"
            : "\(stale.count) entries of the baseline no longer occur; '--write-baseline' removes them"
        // A few examples only: all entries would bury the new findings.
        let notes = stale.prefix(5).map { entry in
            Diagnostic.Note("no longer found in '\(entry.path)': \(entry.rule) '\(entry.subject)'")
        }
        return [Diagnostic(.staleBaseline, message, at: SourceLocation(path), notes: notes)]
    }
}
