/// Formats and parses points in time as Entra writes them.
enum UniversalTime {
    /// A text like `2026-11-22 14:05:09Z`.
    static func text(_ seconds: Int) -> String {
        var day = seconds / 86_400
        var year = 1970
        while day >= length(of: year) {
            day -= length(of: year)
            year += 1
        }
        var month = 1
        for length in lengths(ofMonthsIn: year) {
            guard day >= length else { break }
            day -= length
            month += 1
        }
        let rest = seconds % 86_400
        let date = "\(year)-\(two(month))-\(two(day + 1))"
        return "\(date) \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }

    /// A text like `Sun, 22 Nov 2026 14:05:09 GMT` (RFC 9110, section 5.6.7).
    static func httpDate(_ seconds: Int) -> String {
        let parts = text(seconds).dropLast().split { $0 == "-" || $0 == " " }
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][seconds / 86_400 % 7]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let month = months[(Int(parts[1]) ?? 1) - 1]
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
    }

    /// The seconds since 1970 of a day, or of a moment as RFC 3339 writes it, in UTC.
    static func seconds(_ text: String) -> Int? {
        let numbers = text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        guard numbers.count == 3 || (numbers.count >= 6 && text.hasSuffix("Z")),
            (1970...9999).contains(numbers[0]), (1...12).contains(numbers[1])
        else { return nil }
        var days = (1970..<numbers[0]).reduce(0) { $0 + length(of: $1) }
        days += lengths(ofMonthsIn: numbers[0])[..<(numbers[1] - 1)].reduce(0, +)
        days += numbers[2] - 1
        if numbers.count == 3 { return days * 86_400 }
        return days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    }

    private static func lengths(ofMonthsIn year: Int) -> [Int] {
        [31, length(of: year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    }

    private static func length(of year: Int) -> Int {
        (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 366 : 365
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
