import ArgumentParser
import Diagnostics
import POSIX
import Site
import SiteGenerator

/// Runs a build or a check, and prints its progress, its findings and its summary.
struct Console {
    let options: SiteOptions
    let purpose: SummaryLine.Purpose

    /// - Throws: the exit code, unless it is 0.
    func run(_ work: (BuildProgress) async -> BuildOutcome) async throws {
        let outcome = try await tell(work).outcome
        if outcome.hasFailed { throw ExitCode.inputOutput }
        if outcome.hasErrors { throw ExitCode.contentErrors }
    }

    /// Runs a build or a check and prints the result.
    ///
    /// - Returns: the outcome, and the findings as text without colours.
    func tell(
        _ work: (BuildProgress) async -> BuildOutcome
    ) async throws -> (outcome: BuildOutcome, text: String) {
        let start = Host.uptimeNanoseconds
        let line = ProgressLine(
            isShown: Terminal.isAttached(to: 2) && !options.quiet,
            isVerbose: options.verbose
        )
        var outcome = await work(BuildProgress(line.show))
        line.clear()
        let found = outcome.diagnostics
        if options.quiet { outcome.diagnostics.removeAll { $0.severity != .error } }
        let milliseconds = Int((Host.uptimeNanoseconds - start) / 1_000_000)
        let summary = SummaryLine(outcome, purpose, milliseconds: milliseconds)
        let shown = Set(options.rules)
        if !shown.isEmpty { outcome.diagnostics.removeAll { !shown.contains($0.rule ?? "") } }
        let report = Report(outcome, summary) { path in
            // A limit, because a path may be a device that never ends.
            try? File.read(path, maximumBytes: 64 << 20)
        }
        do {
            if options.format == .text {
                StandardError.write(report.text(.text, inColour: Self.hasColours))
            } else {
                try StandardOutput.write(report.text(options.format))
            }
        } catch {
            StandardError.write("sitegen: error: \(error)\n")
            throw ExitCode.inputOutput
        }
        if options.verbose, let files = outcome.files {
            StandardError.write("sitegen: \(files.new) new files, \(files.linked) unchanged\n")
        }
        if !options.quiet { StandardError.write("sitegen: \(summary.text)\n") }
        outcome.diagnostics = found
        return (outcome, report.text(.text))
    }

    /// https://no-color.org: an empty variable does not count.
    private static var hasColours: Bool {
        let environment = Host.environment
        return Terminal.isAttached(to: 2) && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }
}
