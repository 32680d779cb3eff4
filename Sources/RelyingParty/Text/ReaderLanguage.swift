import Jansson

/// A language of siteauth's pages.
public struct ReaderLanguage: Sendable, Equatable {
    /// For the `lang` attribute (BCP 47).
    let tag: String
    /// For the `dir` attribute: `ltr` or `rtl`.
    let direction: String
    /// By the English texts; a text that is missing stays English.
    let texts: [String: String]
    /// How a day is written, with `{{day}}`, `{{month}}` and `{{year}}`.
    var dateFormat = ""
    /// The names of the twelve months, or none: then a day is `2026-11-22`.
    var months: [String] = []
    /// What readers see in place of the names of groups.
    var groupTitles: [String: String] = [:]

    static let english = ReaderLanguage(tag: "en", direction: "ltr", texts: [:])

    func callAsFunction(_ text: ReaderText) -> String {
        let words = texts[text.english] ?? text.english
        return text.values.isEmpty ? words : Self.filled(words, text.values)
    }

    /// A day in the words of the language; `nil` if their form is not known.
    func day(_ year: Int, _ month: Int, _ day: Int) -> String? {
        guard months.indices.contains(month - 1) else { return nil }
        let values = ["day": "\(day)", "month": months[month - 1], "year": "\(year)"]
        return Self.filled(dateFormat, values)
    }

    private static func filled(_ words: String, _ values: [String: String]) -> String {
        let parts = words.split(separator: "{{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts.first ?? "")) { filled, part in
            let ends = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
            filled += values[String(ends[0])] ?? ""
            if ends.count > 1 { filled += ends[1] }
        }
    }
}

/// The languages of siteauth's pages, which sitegen writes into each release as `auth/texts.json`.
public struct ReaderLanguages: Sendable {
    /// That of the site, and where the browser may choose, the others behind it.
    let languages: [ReaderLanguage]

    /// - Parameter text: `{"languages": [{"tag": …, "direction": …, "texts": {…}}, …]}`, where a
    ///   language may have `"dates": {"format": …, "months": […]}`, and the file
    ///   `"groups": {"hr": "Human resources"}`; older releases have none.
    /// - Returns: `nil` if it is anything else.
    public init?(_ text: String) {
        guard let members = try? JSON(parsing: Array(text.utf8)).members,
            let objects = try? members.arrayIfPresent("languages"),
            let languages = try? objects.map({ try Self.language($0.members ?? JSON.Members()) }),
            !languages.isEmpty,
            let groups = try? members.objectIfPresent("groups") ?? JSON.Members()
        else { return nil }
        let titles = groups.names.map { ($0, (try? groups.text($0)) ?? $0) }
        self.languages = languages.map { language in
            var language = language
            language.groupTitles = Dictionary(titles) { first, _ in first }
            return language
        }
    }

    private static func language(_ members: JSON.Members) throws(MemberError) -> ReaderLanguage {
        let texts = try members.required("texts", members.objectIfPresent("texts"))
        var words: [String: String] = [:]
        for name in texts.names {
            // The plural forms are for scripts.
            words[name] = try? texts.text(name)
        }
        let dates = try members.objectIfPresent("dates") ?? JSON.Members()
        return ReaderLanguage(
            tag: try members.text("tag"),
            direction: try members.text("direction"),
            texts: words,
            dateFormat: try dates.textIfPresent("format") ?? "",
            months: try dates.textsIfPresent("months") ?? []
        )
    }

    /// The site's language, or the one that the browser prefers of several (RFC 9110, section
    /// 12.5.4; RFC 4647, section 3.4).
    ///
    /// - Parameter acceptLanguage: the value of the header field, `de-AT, en;q=0.8`; anything that
    ///   cannot be read is passed over.
    func preferred(_ acceptLanguage: String?) -> ReaderLanguage {
        guard languages.count > 1, let acceptLanguage else { return languages[0] }
        // Browsers send a handful; a stranger may send thousands.
        // By bytes: in Swift, a comma and a combining mark are one Character.
        let ranges = acceptLanguage.utf8.split(separator: UInt8(ascii: ","), maxSplits: 20)
            .prefix(20).compactMap { Self.range(Substring($0)) }
        for range in ranges.sorted(by: { $0.quality > $1.quality }) where range.quality > 0 {
            var name = range.tag
            while true {
                let wanted = Self.sameAs[name] ?? name
                if let found = languages.first(where: { $0.tag.lowercased() == wanted }) {
                    return found
                }
                guard let end = name.lastIndex(of: "-") else { break }
                name = String(name[..<end])
            }
        }
        return languages[0]
    }

    /// What browsers say where files have another name.
    private static let sameAs = [
        "zh": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "no": "nb",
        "nn": "nb", "iw": "he", "in": "id",
    ]

    /// The length that every tag fits into which names a language, script and region (RFC 5646,
    /// section 4.4.1): looking up one of thousands of subtags would take as long as many readers.
    private static let maximumBytes = 35

    private static func range(_ part: Substring) -> (tag: String, quality: Double)? {
        let parts = part.utf8.split(separator: UInt8(ascii: ";"))
            .map { Substring($0).filter { $0 != " " && $0 != "\t" } }
        guard let tag = parts.first?.lowercased(), (1...Self.maximumBytes).contains(tag.utf8.count)
        else { return nil }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
        return (tag, quality.map { Double(String($0)) ?? 0 } ?? 1)
    }
}
