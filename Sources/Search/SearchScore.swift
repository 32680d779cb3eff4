/// The weight of a word in a page, as one of sixteen levels.
///
/// Each field is saturated separately, then added: a frequent word in the text never outweighs the
/// title. The inverse document frequency is left to the browser, which knows how many indexes it
/// queries.
struct SearchScore: Sendable {
    /// The average number of words of the pages, in steps of a quarter: levels are coarser.
    let averageLength: Int

    /// - Parameter words: the number of words of all these pages.
    init(words: Int, pages: Int) {
        let average = Double(words) / Double(max(1, pages))
        var rounded = 1.0
        while rounded * 1.125 < average { rounded *= 1.25 }
        averageLength = Int(rounded.rounded())
    }

    /// The score in the text: BM25 with weaker length normalisation, because long pages are not
    /// worse.
    func text(_ weight: PageTerms.Weight, length: Int) -> Double {
        let often = Double(weight.halves) / 2
        let norm = 0.3 + 0.7 * Double(length) / Double(averageLength)
        return often * 2.2 / (often + 1.2 * norm) + Self.headings[weight.headings]
    }

    private static let headings = [0, 1.6, 3.2, 3.9]

    /// The score of a word in a title with this number of words.
    static func title(of count: Int) -> Double { max(5, 48 / Double(5 + count)) }

    /// The score of a word in tags, description, aliases or address.
    static let about = 2.0

    /// The score of a word with which this number of pages link to the page.
    static func linked(by count: Int) -> Double { 2 * Double(count) / Double(count + 1) }

    /// Each level is about a third higher than the one before; `search-index.js` has the same
    /// factor.
    static func level(_ score: Double) -> UInt8 {
        var level: UInt8 = 0
        var next = 0.25 * 1.34
        while level < 15, score >= next {
            level += 1
            next *= 1.34
        }
        return level
    }

    /// The number of levels that a part is below its compound.
    static let partLevels: UInt8 = 4
}
