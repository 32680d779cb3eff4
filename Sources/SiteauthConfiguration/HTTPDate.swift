/// Reads the field `Date` of an HTTP response (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds since 1970 of a text such as `Sun, 06 Nov 1994 08:49:37 GMT`, or `nil`.
    ///
    /// The obsolete formats are not read.
    package static func seconds(_ text: String) -> NumericDate? {
        let parts = text.split { $0 == " " || $0 == ":" }
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 8, parts[7] == "GMT", numbers.count == 5,
            let index = months.firstIndex(of: String(parts[2])),
            (1...31).contains(numbers[0]), (1970...9999).contains(numbers[1]),
            (0...23).contains(numbers[2]), (0...59).contains(numbers[3]),
            (0...60).contains(numbers[4])
        else { return nil }
        return CalendarTime.day(numbers[1], index + 1, numbers[0]) + numbers[2] * 3600
            + numbers[3] * 60 + numbers[4]
    }
}
