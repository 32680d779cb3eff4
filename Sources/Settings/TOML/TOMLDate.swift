/// A date, a time, or both (TOML 1.0, "Offset Date-Time" to "Local Time"; RFC 3339, section 5.6).
struct TOMLDate: Equatable {
    enum Kind { case offsetDateTime, localDateTime, localDate, localTime }

    struct Reason: Error {
        let message: String
    }

    let kind: Kind
    /// As written, with 'T' before the time and an upper-case 'Z'.
    let text: String

    /// Whether the word begins like `2026-` or `10:`.
    ///
    /// No other kind of value begins so.
    static func begins(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = word.prefix { (48...57).contains($0) }.count
        let next = word.dropFirst(digits).first
        return digits == 4 && next == UInt8(ascii: "-") || digits == 2 && next == UInt8(ascii: ":")
    }

    static func parse(_ word: ArraySlice<UInt8>) -> Result<TOMLDate, Reason> {
        var rest = word
        if rest.dropFirst(2).first == UInt8(ascii: ":") {
            guard isTime(&rest), rest.isEmpty else { return .failure(timeForm) }
            return .success(TOMLDate(kind: .localTime, text: text(word)))
        }
        if let reason = dayMistake(&rest) { return .failure(reason) }
        if rest.isEmpty { return .success(TOMLDate(kind: .localDate, text: text(word))) }
        guard let separator = rest.popFirst(), separator == 32 || separator | 0x20 == 0x74,
            isTime(&rest)
        else { return .failure(timeForm) }
        let text = text(word.prefix(10)) + "T" + text(word.dropFirst(11)).uppercased()
        if rest.isEmpty { return .success(TOMLDate(kind: .localDateTime, text: text)) }
        guard isOffset(rest) else { return .failure(timeForm) }
        return .success(TOMLDate(kind: .offsetDateTime, text: text))
    }

    private static let timeForm = Reason(
        message: "a time is written as 10:30:00, with a date as 2026-11-22T10:30:00+01:00"
    )

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Reads `2026-11-22`.
    private static func dayMistake(_ rest: inout ArraySlice<UInt8>) -> Reason? {
        guard let year = number(&rest, 4), skip("-", &rest), let month = number(&rest, 2),
            skip("-", &rest), let day = number(&rest, 2)
        else { return Reason(message: "a date is written as 2026-11-22") }
        guard (1...12).contains(month) else {
            return Reason(message: "there is no month \(month)")
        }
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[month - 1]).contains(day) else {
            return Reason(message: "that month has no day \(day)")
        }
        return nil
    }

    /// Reads `10:30:00.5`.
    ///
    /// The second may be 60, a leap second of RFC 3339.
    private static func isTime(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let hour = number(&rest, 2), skip(":", &rest), let minute = number(&rest, 2),
            skip(":", &rest), let second = number(&rest, 2),
            hour < 24, minute < 60, second <= 60
        else { return false }
        guard skip(".", &rest) else { return true }
        let fraction = rest.prefix { (48...57).contains($0) }.count
        rest = rest.dropFirst(fraction)
        return fraction > 0
    }

    /// Whether this is `Z` or `+01:00`.
    private static func isOffset(_ rest: ArraySlice<UInt8>) -> Bool {
        var rest = rest
        if rest.count == 1, let letter = rest.first { return letter | 0x20 == UInt8(ascii: "z") }
        guard skip("+", &rest) || skip("-", &rest), let hours = number(&rest, 2),
            skip(":", &rest), let minutes = number(&rest, 2)
        else { return false }
        return rest.isEmpty && hours < 24 && minutes < 60
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let byte = rest.first, byte == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
