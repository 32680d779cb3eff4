import Diagnostics
import Site

/// The last line of a build or a check: what was found, what was published, and how long it took.
public struct SummaryLine: Sendable {
    public enum Purpose: Sendable, Equatable {
        case build, check
        /// - Parameter isShown: whether pages show what was checked.
        case preview(isShown: Bool)
    }

    public let errors: Int
    public let warnings: Int
    public let notes: Int
    public let milliseconds: Int
    public let text: String

    public init(_ outcome: BuildOutcome, _ purpose: Purpose, milliseconds: Int) {
        func count(_ severity: Diagnostic.Severity) -> Int {
            outcome.diagnostics.filter { $0.severity == severity }.count
        }
        errors = count(.error)
        warnings = count(.warning)
        notes = count(.note)
        self.milliseconds = milliseconds
        let pages = Self.count(outcome.pages, "page")
        let drafts = Self.ignored(outcome.unpublishedReasons)
        let known = outcome.suppressed > 0 ? ", \(outcome.suppressed) suppressed" : ""
        var parts: [String] = []
        if errors > 0 { parts.append(Self.count(errors, "error")) }
        if warnings > 0 { parts.append(Self.count(warnings, "warning")) }
        let findings = parts.joined(separator: ", ")
        if case .preview(let isShown) = purpose {
            let found = findings.isEmpty ? "" : ", \(findings)"
            let end = isShown ? "" : "; pages show the site before the last change"
            text = "\(pages)\(drafts)\(found)\(known), checked in \(milliseconds) ms\(end)"
        } else if let release = outcome.release {
            let found = findings.isEmpty ? "" : ", \(findings)"
            let location = "release \(release) in '\(outcome.output)'"
            let end =
                outcome.isUnchanged
                ? "nothing has changed since \(location), \(milliseconds) ms"
                : "published \(location) in \(milliseconds) ms"
            text = "\(pages)\(drafts)\(found)\(known); \(end)"
        } else if purpose == .build {
            text = "\(findings)\(known) in \(pages), \(milliseconds) ms; nothing was published"
        } else {
            let found = findings.isEmpty ? "nothing found" : findings
            text = "\(found)\(known) in \(pages)\(drafts), \(milliseconds) ms"
        }
    }

    private static func ignored(_ unpublishedReasons: [UnpublishedReason: Int]) -> String {
        let parts = [
            unpublishedReasons[.draft].map { count($0, "draft") },
            unpublishedReasons[.future].map { count($0, "future page") },
            unpublishedReasons[.expired].map { count($0, "expired page") },
            unpublishedReasons[.unnamed].map { count($0, "page") + " outside of the navigation" },
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return text.isEmpty ? "" : " (\(text) not published)"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
