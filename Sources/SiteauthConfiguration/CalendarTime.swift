/// Seconds since 1970-01-01T00:00:00Z (RFC 7519, section 2).
public typealias NumericDate = Int

/// Formats points in time for people.
public enum CalendarTime {
    /// A text such as `2026-11-22 14:05 UTC`.
    package static func text(_ date: NumericDate) -> String {
        let (day, time) = parts(date)
        return "\(day.text) \(time) UTC"
    }

    package struct Day {
        package let year: Int
        package let month: Int
        package let day: Int

        package var text: String { "\(year)-\(two(month))-\(two(day))" }
    }

    /// A text such as `2026-11-22T14:05:09.042Z` (RFC 3339).
    public static func timestamp(milliseconds: Int) -> String {
        let (day, time) = parts(milliseconds / 1000)
        let rest = String(milliseconds % 60_000 + 100_000).dropFirst()
        return "\(day.text)T\(time):\(rest.prefix(2)).\(rest.dropFirst(2))Z"
    }

    /// The algorithm is civil-from-days (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms").
    package static func parts(_ date: NumericDate) -> (day: Day, time: String) {
        let days = (date >= 0 ? date : date - 86_399) / 86_400
        let seconds = date - days * 86_400
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let hour = seconds / 3600
        let minute = seconds / 60 % 60
        let date = Day(year: year, month: month, day: day)
        return (date, "\(two(hour)):\(two(minute))")
    }

    /// The beginning of a day such as `2026-11-22` in UTC (days-from-civil).
    package static func day(_ text: String) -> NumericDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return self.day(year, month, day)
    }

    /// The seconds of a moment in UTC such as `2026-11-22T14:05:09.042Z` (RFC 3339).
    package static func moment(_ text: String) -> NumericDate? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("Z"), let day = day(String(parts[0])) else {
            return nil
        }
        let whole = parts[1].dropLast().prefix { $0 != "." }
        let time = whole.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return day + hour * 3600 + minute * 60 + second
    }

    /// The beginning of a day of the years 1 to 9999.
    package static func day(_ year: Int, _ month: Int, _ day: Int) -> NumericDate {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return (era * 146_097 + dayOfEra - 719_468) * 86_400
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
