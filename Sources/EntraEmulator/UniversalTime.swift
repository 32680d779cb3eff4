/// Points in time as Entra writes them.
enum UniversalTime {
    /// A text like `2026-11-22 14:05:09Z`.
    static func text(_ seconds: Int) -> String {
        var day = seconds / 86_400
        var year = 1970
        while day >= length(of: year) {
            day -= length(of: year)
            year += 1
        }
        let february = length(of: year) - 337
        var month = 1
        for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] where day >= length {
            guard month < 12 else { break }
            day -= length
            month += 1
        }
        let rest = seconds % 86_400
        let date = "\(year)-\(two(month))-\(two(day + 1))"
        return "\(date) \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }

    private static func length(of year: Int) -> Int {
        (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 366 : 365
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
