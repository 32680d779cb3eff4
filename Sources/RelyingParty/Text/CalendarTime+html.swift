import SiteauthConfiguration

extension CalendarTime {
    /// An element that says the time for readers: `22 November 2026, 14:05 UTC`.
    ///
    /// A script of the theme changes it to the reader's time zone, and needs the form of a day and
    /// the names of months for that.
    static func html(_ date: NumericDate, _ language: ReaderLanguage) -> String {
        let (day, time) = parts(date)
        // HTML, "valid global date and time string"
        var attributes = "datetime=\"\(day.text)T\(time)Z\""
        guard let words = language.day(day.year, day.month, day.day) else {
            return "<time \(attributes)>\(text(date))</time>"
        }
        attributes += " data-format=\"\(HTML.escape(language.dateFormat))\""
        attributes += " data-months=\"\(HTML.escape(language.months.joined(separator: "|")))\""
        return "<time \(attributes)>\(HTML.escape(words)), \(time) UTC</time>"
    }
}
