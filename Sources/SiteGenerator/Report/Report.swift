import Diagnostics

/// The report of a build or a check, in a format that the user chose.
public struct Report: Sendable {
    public enum Format: String, CaseIterable, Sendable { case text, json, sarif, github, gitlab }

    let outcome: BuildOutcome
    let summary: SummaryLine
    private let read: @Sendable (_ path: String) -> [UInt8]?

    /// - Parameter read: reads a source file, to show its lines; `nil` if it cannot be read.
    public init(
        _ outcome: BuildOutcome,
        _ summary: SummaryLine,
        reading read: @escaping @Sendable (_ path: String) -> [UInt8]?
    ) {
        self.outcome = outcome
        self.summary = summary
        self.read = read
    }

    /// - Parameter inColour: for ``Format/text`` alone.
    public func text(_ format: Format, inColour: Bool = false) -> String {
        var lines = SourceLines(reading: read)
        switch format {
        case .text:
            return outcome.diagnostics.map {
                TextDiagnostic($0, &lines, Palette(isOn: inColour)).text
            }.joined() + RuleCounts(outcome.diagnostics).text
        case .json: return JSONReport(outcome, summary).text
        case .sarif: return SARIFReport(outcome, &lines).text
        case .gitlab: return CodeQualityReport(outcome).text
        case .github: return outcome.diagnostics.map { GitHubCommand($0, &lines).text }.joined()
        }
    }
}
