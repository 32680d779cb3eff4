import Stemmer
import Testing

@Suite struct StemmerTests {
    private func stems(_ language: String, _ words: String...) throws -> [String] {
        let stemmer = try #require(Stemmer(language: language))
        var stem: [UInt8] = []
        return words.map { word in
            stemmer.stem(word.utf8.span, into: &stem)
            return String(decoding: stem, as: UTF8.self)
        }
    }

    @Test func `forms of a word have one stem, in the language of the tag`() throws {
        #expect(Set(try stems("en-GB", "move", "moved", "moving", "moves")) == ["move"])
        #expect(Set(try stems("de-DE", "kosten", "koste")) == ["kost"])
        #expect(Set(try stems("fr", "demander", "demande", "demandes")) == ["demand"])
        #expect(try stems("en", "", "vpn", "naïve") == ["", "vpn", "naïv"])
    }

    @Test(arguments: ["", "xx", "ja", "-", "../en"])
    func `some languages have no stems`(language: String) {
        #expect(Stemmer(language: language) == nil)
    }
}
