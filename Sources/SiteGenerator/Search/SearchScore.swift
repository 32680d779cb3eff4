/// How much a word matters in a page, as one of sixteen levels.
///
/// Each field is saturated by itself and added: a word that comes often in a text is never worth
/// the title. What a word is worth on the whole site (idf) is left to the reader's browser, which
/// knows of how many indexes the answer is made.
struct SearchScore: Sendable {
    private let averageLength: Double

    init(averageLength: Double) { self.averageLength = max(1, averageLength) }

    /// What stands in the text: BM25, with weaker normalisation, for long pages are no worse.
    func text(_ weight: PageTerms.Weight, length: Int) -> Double {
        let often = Double(weight.halves) / 2
        let norm = 0.5 + 0.5 * Double(length) / averageLength
        let headings = Double(weight.headings)
        return often * 2.2 / (often + 1.2 * norm) + 4.5 * headings / (headings + 0.5)
    }

    /// A word of a title of so many words.
    static func title(of count: Int) -> Double { max(5, 48 / Double(5 + count)) }

    /// A word of tags, description, aliases.
    static let about = 2.0

    /// The levels grow by a third each: `search-index.js` has the same number.
    static func level(_ score: Double) -> UInt8 {
        var level: UInt8 = 0
        var next = 0.25 * 1.34
        while level < 15, score >= next {
            level += 1
            next *= 1.34
        }
        return level
    }

    /// How many levels a part of a compound is below the compound.
    static let partLevels: UInt8 = 4
}
