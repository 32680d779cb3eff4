/// Formats points in time for people.
enum CalendarTime {
    /// A text such as `2026-11-22 14:05 UTC`.
    ///
    /// The algorithm is civil-from-days (Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms").
    static func text(_ date: NumericDate) -> String {
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
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute)) UTC"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
