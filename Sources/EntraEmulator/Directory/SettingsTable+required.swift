import Diagnostics
import Settings

extension SettingsTable {
    /// A required string that is not empty.
    func required(_ key: String) -> String {
        let value = string(key)
        if !has(key) || value?.isEmpty == true { report("'\(key)' is missing", at: key) }
        return value ?? ""
    }

    /// A GUID, in lower case.
    func guid(_ key: String) -> String {
        let value = required(key).lowercased()
        if !value.isEmpty, !GUID.isOne(value) {
            report("'\(key)' is '\(value)'; it must be a GUID", at: key)
        }
        return value
    }

    /// One of some words.
    func word<Word: RawRepresentable & CaseIterable>(_ key: String, _ standard: Word) -> Word
    where Word.RawValue == String {
        guard let text = string(key) else { return standard }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        let hint = NearestName.hint(text, in: words)
        let list = "; it must be one of " + words.map { "'\($0)'" }.joined(separator: ", ")
        report("'\(key)' is '\(text)'\(hint.isEmpty ? list : hint)", at: key)
        return standard
    }

    /// The day or moment of a key as seconds since 1970.
    func moment(_ key: String) -> Int? {
        guard let value = anything(key) else { return nil }
        if case .date(let text) = value.content, let seconds = UniversalTime.seconds(text) {
            return seconds
        }
        report("'\(key)' must be a date like 2027-01-31", at: key)
        return nil
    }
}
