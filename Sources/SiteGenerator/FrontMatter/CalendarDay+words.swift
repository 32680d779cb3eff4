extension CalendarDay {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// A date as people write it: `5 November 2026` for `2026-11-05`, on a site in English.
    ///
    /// In other languages the date stays in the form `2026-11-05`, which is understood everywhere.
    static func words(_ day: String, language: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard language.lowercased().split(separator: "-").first == "en", parts.count == 3,
            months.indices.contains(parts[1] - 1)
        else { return day }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }
}
