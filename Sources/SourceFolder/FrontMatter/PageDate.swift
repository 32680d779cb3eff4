/// A day, or a moment, as front matter and git write it (RFC 3339, section 5.6).
///
/// A moment keeps its time and its zone until it is shown; a day stays a day.
package struct PageDate: Sendable, Equatable {
    package struct Mistake: Error {
        package let message: String
    }

    /// The day in the author's zone, `2026-11-22`.
    package let day: String
    /// `T10:00:00+01:00`; `nil` for a day.
    private let time: String?
    /// Seconds since 1970; without a time the beginning of the day, without a time zone in UTC.
    package let seconds: Int

    /// For programs (HTML, "valid date string" and "valid global date and time string").
    package var text: String { day + (time ?? "") }

    /// A moment, also for a day (RFC 3339, `date-time`).
    package var timestamp: String { day + (time ?? "T00:00:00Z") }

    /// Reads `2026-11-22` and `2026-11-22T10:00:00+01:00`.
    ///
    /// Like other generators, it accepts a space in place of the `T` and before the time zone, and
    /// like Jekyll `2026-1-9 8:00:00`.
    package static func parse(_ text: String) -> Result<PageDate, Mistake> {
        var scanner = Scanner(rest: text.utf8[...])
        guard let year = scanner.number(4...4), scanner.take("-"),
            let month = scanner.number(1...2), scanner.take("-"), let date = scanner.number(1...2)
        else { return .failure(Mistake(message: "a date is written as 2026-11-22")) }
        guard (1...12).contains(month) else {
            return .failure(Mistake(message: "there is no month \(month)"))
        }
        guard (1...days(in: month, of: year)).contains(date) else {
            return .failure(Mistake(message: "that month has no day \(date)"))
        }
        guard let (time, seconds) = time(&scanner) else {
            return .failure(Mistake(message: "a time is written as 2026-11-22T10:30:00+01:00"))
        }
        let day = "\(text.prefix(4))-\(twoDigits(month))-\(twoDigits(date))"
        let days = daysSince1970(year, month, date)
        return .success(PageDate(day: day, time: time, seconds: days * 86_400 + seconds))
    }

    /// Reads the same, and a month such as `2026-11`, which is its last day.
    package static func parseLastDay(_ text: String) -> Result<PageDate, Mistake> {
        var scanner = Scanner(rest: text.utf8[...])
        guard let year = scanner.number(4...4), scanner.take("-"),
            let month = scanner.number(1...2), scanner.rest.isEmpty
        else { return parse(text) }
        return parse("\(text)-\(days(in: month, of: year))")
    }

    /// The part of a date that is not read yet.
    private struct Scanner {
        var rest: Substring.UTF8View

        /// All digits that follow; `nil` if their number is wrong.
        mutating func number(_ count: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { (48...57).contains($0) }
            guard count.contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        }

        /// Whether one of these characters follows.
        mutating func take(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A time with its zone, and the seconds from midnight in UTC to it; no time for an empty text.
    private static func time(_ scanner: inout Scanner) -> (text: String?, seconds: Int)? {
        if scanner.rest.isEmpty { return (nil, 0) }
        guard scanner.take("Tt "), let hour = scanner.number(1...2), hour < 24, scanner.take(":"),
            let minute = scanner.number(2...2), minute < 60,
            // RFC 3339 has leap seconds: 60.
            let second = scanner.take(":") ? scanner.number(2...2) : 0, second <= 60
        else { return nil }
        if scanner.take(".") { scanner.rest = scanner.rest.drop { (48...57).contains($0) } }
        guard let zone = secondsEast(&scanner), scanner.rest.isEmpty else { return nil }
        // HTML has no leap seconds.
        let written = [hour, minute, min(second, 59)].map(twoDigits).joined(separator: ":")
        return ("T\(written)\(offset(zone))", hour * 3600 + minute * 60 + second - zone)
    }

    /// `Z`, or `+01:00`.
    private static func offset(_ zone: Int) -> String {
        if zone == 0 { return "Z" }
        let minutes = abs(zone) / 60
        return "\(zone < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func secondsEast(_ scanner: inout Scanner) -> Int? {
        while scanner.take(" ") {}
        if scanner.rest.isEmpty || scanner.take("Zz") { return 0 }
        let isWest = scanner.rest.first == UInt8(ascii: "-")
        guard scanner.take("+-"), var number = scanner.number(2...4) else { return nil }
        if scanner.take(":") {
            guard number < 100, let minutes = scanner.number(2...2) else { return nil }
            number = number * 100 + minutes
        }
        guard number / 100 < 24, number % 100 < 60 else { return nil }
        let seconds = number / 100 * 3600 + number % 100 * 60
        return isWest ? -seconds : seconds
    }

    /// Days of the proleptic Gregorian calendar, years counted from March so that a leap day is
    /// the last of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
