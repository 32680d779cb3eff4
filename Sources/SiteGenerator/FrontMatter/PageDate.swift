/// A day, or a moment, as front matter and git write it (RFC 3339, section 5.6).
///
/// A moment keeps its time and its zone until it is shown; a day stays a day.
struct PageDate: Sendable, Equatable {
    struct Mistake: Error {
        let message: String
    }

    /// The day in the author's zone, `2026-11-22`.
    let day: String
    /// `T10:00:00+01:00`; `nil` for a day.
    private let time: String?
    /// Seconds since 1970; without a time the beginning of the day, without a time zone in UTC.
    let seconds: Int

    /// For programs (HTML, "valid date string" and "valid global date and time string").
    var text: String { day + (time ?? "") }

    /// A moment, also for a day (RFC 3339, `date-time`).
    var timestamp: String { day + (time ?? "T00:00:00Z") }

    /// Reads `2026-11-22` and `2026-11-22T10:00:00+01:00`.
    ///
    /// Like other generators, it accepts a space in place of the `T` and before the time zone, and
    /// like Jekyll `2026-1-9 8:00:00`.
    static func parse(_ text: String) -> Result<PageDate, Mistake> {
        if let day = plainDay(text) { return .success(day) }
        let form = Mistake(message: "a date is written as 2026-11-22")
        let written = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-") }
        let parts = written.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4,
            parts.dropFirst().allSatisfy({ (1...2).contains($0.utf8.count) }),
            let year = UInt(parts[0]), let month = UInt(parts[1]), let date = UInt(parts[2])
        else { return .failure(form) }
        guard (1...12).contains(month) else {
            return .failure(Mistake(message: "there is no month \(month)"))
        }
        guard (1...days(in: Int(month), of: Int(year))).contains(Int(date)) else {
            return .failure(Mistake(message: "that month has no day \(date)"))
        }
        guard let (time, seconds) = time(text.dropFirst(written.count)) else {
            return .failure(Mistake(message: "a time is written as 2026-11-22T10:30:00+01:00"))
        }
        let days = daysSince1970(Int(year), Int(month), Int(date))
        let day =
            "\(parts[0])-"
            + parts.dropFirst().map { $0.count == 1 ? "0\($0)" : $0 }
            .joined(separator: "-")
        return .success(PageDate(day: day, time: time, seconds: days * 86_400 + seconds))
    }

    /// Reads `2026-11-22`; `nil` if the text is longer, or no date.
    private static func plainDay(_ text: String) -> PageDate? {
        guard text.utf8.count == 10 else { return nil }
        var number = 0
        for (index, byte) in text.utf8.enumerated() {
            if index == 4 || index == 7 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard (48...57).contains(byte) else { return nil }
                number = number * 10 + Int(byte - 48)
            }
        }
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100)
        guard (1...12).contains(month), day > 0, day <= days(in: month, of: year) else {
            return nil
        }
        let seconds = daysSince1970(year, month, day) * 86_400
        return PageDate(day: text, time: nil, seconds: seconds)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A time with its zone, and the seconds from midnight in UTC to it; no time for an empty text.
    private static func time(_ text: Substring) -> (text: String?, seconds: Int)? {
        if text.isEmpty { return (nil, 0) }
        guard text.first.map({ "Tt ".contains($0) }) == true else { return nil }
        var rest = text.dropFirst()
        let clock = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
        rest = rest.dropFirst(clock.count).drop { $0 == " " }
        let fields = (clock.split(separator: ".").first ?? "")
            .split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.enumerated().compactMap { index, field in
            field.utf8.count == 2 || (index == 0 && field.utf8.count == 1) ? Int(field) : nil
        }
        // RFC 3339 has leap seconds: 60.
        guard numbers.count == fields.count, (2...3).contains(numbers.count), numbers[0] < 24,
            numbers[1] < 60, numbers.dropFirst(2).allSatisfy({ $0 <= 60 }),
            let zone = secondsEast(rest)
        else { return nil }
        let second = numbers.count > 2 ? numbers[2] : 0
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + second - zone
        // HTML has no leap seconds.
        let written = [numbers[0], numbers[1], min(second, 59)].map(twoDigits)
        return ("T\(written.joined(separator: ":"))\(offset(zone))", seconds)
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

    private static func secondsEast(_ zone: Substring) -> Int? {
        if zone.isEmpty || zone == "Z" || zone == "z" { return 0 }
        let digits = zone.dropFirst().filter { $0 != ":" }
        guard let sign = zone.first, "+-".contains(sign), digits.utf8.count == 4,
            let number = UInt(digits), number / 100 < 24, number % 100 < 60
        else { return nil }
        let seconds = Int(number / 100 * 3600 + number % 100 * 60)
        return sign == "-" ? -seconds : seconds
    }

    /// Days of the proleptic Gregorian calendar, years counted from March so that a leap day is
    /// the last of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
