import Diagnostics

/// A value of any kind, with its location.
public struct SettingsValue: Sendable {
    public indirect enum Content: Sendable {
        case text(String)
        /// With its source text, so that `1.10` stays `1.10`.
        case number(Double, text: String)
        case bool(Bool)
        /// In the form of RFC 3339; a date and time without an offset is in UTC.
        case date(String)
        case list([SettingsValue])
        /// In the order of the file.
        case table([Entry])
    }

    public struct Entry: Sendable {
        public let key: String
        public let keyLocation: SourceLocation
        public let value: SettingsValue
    }

    public let content: Content
    public let location: SourceLocation

    init(_ value: TOMLValue, _ file: SettingsFile) {
        location = file.location(value.range)
        content =
            switch value.content {
            case .string(let text): .text(text)
            case .integer(let number): .number(Double(number), text: file.text(value.range))
            case .float(let number): .number(number, text: file.text(value.range))
            case .bool(let bool): .bool(bool)
            case .date(let date): Self.content(date)
            case .array, .tables:
                .list((value.elements ?? []).map { SettingsValue($0, file) })
            case .table(let table): .table(Self.entries(table, file))
            }
    }

    static func entries(_ table: TOMLTable, _ file: SettingsFile) -> [Entry] {
        table.entries.map { entry in
            Entry(
                key: entry.key.text,
                keyLocation: file.location(entry.key.range),
                value: SettingsValue(entry.value, file)
            )
        }
    }

    private static func content(_ date: TOMLDate) -> Content {
        switch date.kind {
        case .localTime: .text(date.text)
        case .localDate: .date(date.text)
        case .localDateTime: .date(date.text + "Z")
        case .offsetDateTime:
            ["+00:00", "-00:00"].contains(date.text.suffix(6))
                ? .date(date.text.dropLast(6) + "Z") : .date(date.text)
        }
    }
}
