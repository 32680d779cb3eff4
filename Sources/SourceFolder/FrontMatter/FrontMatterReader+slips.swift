import Diagnostics
import Rules

/// What people and their tools often write by mistake.
extension FrontMatterReader {
    /// Reports and leaves out what has no value inside of an entry: `tags: [a, null]`.
    ///
    /// In `access`, an element without a value might have been a name, and `build` publishes what
    /// it does not forbid, so both keep it.
    mutating func withoutNull(_ entry: FrontMatterEntry, _ name: FrontMatter.Key)
        -> FrontMatterEntry
    {
        if name == .access || name == .build { return entry }
        var left: [(key: String?, location: SourceLocation)] = []
        var entry = entry
        entry.value = entry.value.withoutNull(&left)
        for (key, location) in left {
            let message =
                key.map { "'\($0)' in '\(entry.key)' is empty and is ignored" }
                ?? "'\(entry.key)' has an element without a value, which is ignored"
            let subject = key ?? entry.key
            diagnostics.append(Diagnostic(.emptyValue, message, at: location, subject: subject))
        }
        return entry
    }

    /// Explains an error of a value with curly quotes, and warns about other such values.
    ///
    /// - Parameter known: the number of diagnostics before the entry was read.
    mutating func reportCurlyQuotes(_ entry: FrontMatterEntry, since known: Int) {
        let values: [FrontMatterValue]
        if case .list(let elements) = entry.value.content {
            values = elements
        } else {
            values = [entry.value]
        }
        if let error = diagnostics[known...].firstIndex(where: { $0.severity == .error }) {
            if values.contains(where: { CurlyQuotes.stand(beside: $0.text ?? "") }) {
                diagnostics[error].notes.append(.init(CurlyQuotes.explanation))
            }
        } else if let value = values.first(where: { CurlyQuotes.enclose($0.text ?? "") }) {
            let message = "'\(entry.key)': \(CurlyQuotes.explanation)"
            diagnostics.append(
                Diagnostic(.curlyQuotes, message, at: value.location, subject: entry.key)
            )
        }
    }

    /// Explains mistakes of the language by what stands on their lines.
    ///
    /// - Parameter linesAbove: the number of lines above the text in the file.
    static func explained(_ mistakes: [Diagnostic], in text: [UInt8], linesAbove: Int)
        -> [Diagnostic]
    {
        if mistakes.isEmpty { return [] }
        let lines = text.split(separator: 10, omittingEmptySubsequences: false)
        return mistakes.map { mistake in
            let index = (mistake.location?.line ?? 0) - linesAbove - 1
            guard lines.indices.contains(index), CurlyQuotes.stand(in: lines[index]) else {
                return mistake
            }
            var mistake = mistake
            mistake.notes.append(.init(CurlyQuotes.explanation))
            return mistake
        }
    }
}
