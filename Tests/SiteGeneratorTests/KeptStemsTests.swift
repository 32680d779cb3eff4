import Testing

@testable import SiteGenerator

/// An index with stems that were kept has to be the one that is made without them.
@Suite struct KeptStemsTests {
    private static func words(_ text: String) -> (table: TermTable, sorted: [Int]) {
        var table = TermTable()
        for word in text.split(separator: " ") { _ = table.add(word.utf8.span) }
        return (table, table.sorted(0..<table.count))
    }

    /// The words as a first build keeps them.
    private static func kept(_ text: String) -> [UInt8] {
        let (table, sorted) = words(text)
        var stems = WordStems(language: "en")
        var bytes: [UInt8] = []
        for id in sorted {
            bytes.append(text: table[id])
            stems.append(table.bytes.span.extracting(table.range(of: id)), to: &bytes)
        }
        return bytes
    }

    @Test(arguments: [
        ("", "moved moving"), ("moved", ""), ("moved moving", "moved moving"),
        ("aa moved zebras", "moved"), ("moved", "aa moved zebras"),
        ("cities companies", "citiesx cities city companies zürich"),
        ("a b c moved", "b moves c moved d"), ("running runs", "runner running"),
    ])
    func `kept stems are those that are found`(before: String, now: String) {
        let (table, sorted) = Self.words(now)
        let kept = KeptStems(Self.kept(before), for: sorted, in: table)
        var (fresh, again) = (WordStems(language: "en"), WordStems(language: "en"))
        let known = Set(before.split(separator: " "))
        var missing = 0
        for (index, id) in sorted.enumerated() {
            let word = table.bytes.span.extracting(table.range(of: id))
            var (expected, found): ([UInt8], [UInt8]) = ([], [])
            fresh.append(word, to: &expected)
            let isKnown = known.contains(Substring(decoding: table[id], as: UTF8.self))
            #expect((kept.start(at: index) != nil) == isKnown)
            if let start = kept.start(at: index) {
                again.append(word, from: kept.bytes, at: start, to: &found)
            } else {
                missing += 1
                again.append(word, to: &found)
            }
            #expect(found == expected)
        }
        #expect(again.endings.encoded == fresh.endings.encoded)
        #expect(kept.isOutdated == (16 * missing > sorted.count))
    }

    @Test func `stems that are cut off end no build`() {
        let whole = Self.kept("cities companies moved moving running")
        let (table, sorted) = Self.words("cities companies moved moving running")
        for count in whole.indices {
            let kept = KeptStems(Array(whole[..<count]), for: sorted, in: table)
            var stems = WordStems(language: "en")
            for (index, id) in sorted.enumerated() {
                guard let start = kept.start(at: index) else { continue }
                var bytes: [UInt8] = []
                let word = table.bytes.span.extracting(table.range(of: id))
                stems.append(word, from: kept.bytes, at: start, to: &bytes)
            }
        }
    }
}
