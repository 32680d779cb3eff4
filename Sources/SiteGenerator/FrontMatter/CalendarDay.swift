/// A day as `2026-11-22` (RFC 3339, section 5.6, full-date).
enum CalendarDay {
    struct Mistake: Error {
        let message: String
    }

    static func parse(_ text: Substring) -> Result<String, Mistake> {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            let year = UInt(parts[0]), let month = UInt(parts[1]), let day = UInt(parts[2])
        else { return .failure(Mistake(message: "a day is written as 2026-11-22")) }
        guard (1...12).contains(month) else {
            return .failure(Mistake(message: "there is no month \(month)"))
        }
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let lengths: [UInt] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[Int(month) - 1]).contains(day) else {
            return .failure(Mistake(message: "that month has no day \(day)"))
        }
        return .success(String(text))
    }
}
