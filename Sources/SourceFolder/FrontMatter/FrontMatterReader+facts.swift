/// What a page says of itself to its readers.
extension FrontMatterReader {
    mutating func readLanguage(_ entry: FrontMatterEntry) {
        let tag = entry.value.text ?? ""
        if LanguageTag.isValid(tag) { return frontMatter.language = tag }
        report(LanguageTag.mistake(entry.key, tag), entry.value.location)
    }

    mutating func readReview(_ entry: FrontMatterEntry) {
        let text = entry.value.text ?? ""
        switch PageDate.parseLastDay(text) {
        case .success(let day): frontMatter.review = (day, entry.value.location)
        case .failure(let mistake):
            report("'\(entry.key)' is '\(text)'; \(mistake.message)", entry.value.location)
        }
    }

    mutating func readSort(_ entry: FrontMatterEntry) {
        let text = entry.value.text ?? ""
        if let order = FrontMatter.ListOrder(rawValue: text.lowercased()) {
            return frontMatter.sort = order
        }
        let words = FrontMatter.ListOrder.allCases.map { "'\($0.rawValue)'" }
        report(
            "'\(entry.key)' is '\(text)'; it must be \(words.joined(separator: " or "))",
            entry.value.location
        )
    }
}
