import TOMLKit

/// A value whose kind its reader does not know beforehand.
public indirect enum SettingsValue: Sendable {
    case text(String)
    case number(Double)
    case bool(Bool)
    /// As RFC 3339 writes it.
    case date(String)
    case list([SettingsValue])
    /// Sorted by key.
    case table([(key: String, value: SettingsValue)])

    init(_ value: any TOMLValueConvertible) {
        self =
            if let text = value.string {
                .text(text)
            } else if let bool = value.bool {
                .bool(bool)
            } else if let number = value.double ?? value.int.map(Double.init) {
                .number(number)
            } else if let array = value.array {
                .list(array.map(SettingsValue.init))
            } else if let table = value.table {
                .table(
                    table.keys.sorted().compactMap { key in
                        table[key].map { (key, SettingsValue($0)) }
                    }
                )
            } else if let date = value.date {
                .date(Self.text(date))
            } else if let moment = value.dateTime {
                .date(Self.text(moment))
            } else {
                .text(value.debugDescription)
            }
    }

    private static func text(_ date: TOMLDate) -> String {
        "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    private static func text(_ moment: TOMLDateTime) -> String {
        let time = moment.time
        let clock = [time.hour, time.minute, time.second].map { padded($0, 2) }
        let start = "\(text(moment.date))T\(clock.joined(separator: ":"))"
        // TOMLKit counts an offset in minutes; without one the time is local, and taken for UTC.
        guard let minutes = moment.offset?.offset, minutes != 0 else { return start + "Z" }
        let size = minutes.magnitude
        let offset = "\(padded(Int(size / 60), 2)):\(padded(Int(size % 60), 2))"
        return start + (minutes < 0 ? "-" : "+") + offset
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
