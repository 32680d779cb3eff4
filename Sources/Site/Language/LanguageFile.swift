import Diagnostics
import Settings

/// A file such as `languages/de.toml`: texts of the interface in one language, and how it writes
/// dates.
struct LanguageFile: Sendable {
    enum Text: Sendable, Equatable {
        case text(String)
        /// By the plural category of a number (CLDR, "Plural Rules").
        case plural([String: String])
    }

    /// By the English text.
    private(set) var texts: [String: Text] = [:]
    private(set) var dateFormat: String?
    private(set) var months: [String]?
    private(set) var diagnostics: [Diagnostic] = []

    /// The text whose form depends on a number.
    static let counted = "{{count}} pages found"
    private static let categories: Set = ["zero", "one", "two", "few", "many", "other"]

    init(_ bytes: [UInt8], path: String) {
        let file = SettingsFile(bytes, path: path)
        if file.diagnostics.isEmpty {
            let root = file.root
            if let dates = root.table("dates") { read(dates: dates) }
            if let texts = root.table("texts") { read(texts: texts) }
            root.refuseUnknownKeys()
        }
        diagnostics = file.diagnostics
    }

    private mutating func read(dates: SettingsTable) {
        dateFormat = dates.string("format")
        if let format = dateFormat,
            Self.names(in: format) != ["day", "month", "year"]
        {
            dates.report(
                "'format' must contain '{{day}}', '{{month}}' and '{{year}}'",
                at: "format"
            )
        }
        months = dates.strings("months")
        if let count = months?.count, count != 12 {
            dates.report("'months' has \(count) names; it must have 12", at: "months")
            months = nil
        }
        dates.refuseUnknownKeys()
    }

    private mutating func read(texts table: SettingsTable) {
        for english in table.keys {
            if english == Self.counted, case .table(let forms) = table.anything(english)?.content {
                texts[english] = plural(forms, english, table)
            } else if let text = table.string(english) {
                check(text, english, table)
                texts[english] = .text(text)
            }
        }
    }

    private func plural(
        _ forms: [SettingsValue.Entry],
        _ english: String,
        _ table: SettingsTable
    ) -> Text {
        var plural: [String: String] = [:]
        for form in forms {
            guard case .text(let text) = form.value.content, Self.categories.contains(form.key)
            else {
                let known = Self.categories.sorted().joined(separator: "', '")
                table.report(
                    "a form of this text is '\(form.key)'; it may be '\(known)', each a string",
                    at: english
                )
                continue
            }
            check(text, english, table, isForm: true)
            plural[form.key] = text
        }
        if plural["other"] == nil { table.report("this text has no form 'other'", at: english) }
        return .plural(plural)
    }

    /// Reports values that have no place in the text, or places for values that do not exist.
    ///
    /// - Parameter isForm: of a plural, which may say 'one page' without the number.
    private func check(
        _ text: String,
        _ english: String,
        _ table: SettingsTable,
        isForm: Bool = false
    ) {
        if text.isEmpty { table.report("this text is empty", at: english) }
        let (names, wanted) = (Self.names(in: text), Self.names(in: english))
        for name in names.subtracting(wanted).sorted() {
            table.report("'{{\(name)}}' is not in the English text", at: english)
        }
        if isForm { return }
        for name in wanted.subtracting(names).sorted() {
            table.report("'{{\(name)}}' is missing", at: english)
        }
    }

    /// The names between `{{` and `}}`.
    static func names(in text: String) -> Set<String> {
        // Most texts have none, and splitting takes a while.
        if !text.utf8.contains(UInt8(ascii: "{")) { return [] }
        return Set(
            text.split(separator: "{{", omittingEmptySubsequences: false).dropFirst().map { part in
                String(part.split(separator: "}}", omittingEmptySubsequences: false)[0])
            }
        )
    }
}
