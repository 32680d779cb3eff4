import Testing

@testable import Search

@Suite struct TermTableTests {
    private static let keys = [
        TermTable.Key(1, 3), TermTable.Key(0x1234_5678, 0x9E37_79B9_7F4A_7C15),
    ]

    @Test func `the numbers of words do not depend on the key`() {
        let words = (0..<5000).map { "word\($0 * 7919 % 3000)" }
        var tables = Self.keys.map { TermTable(key: $0) } + [TermTable()]
        for word in words {
            let ids = tables.indices.map { tables[$0].add(Array(word.utf8).span) }
            #expect(Set(ids).count == 1)
        }
        #expect(tables.allSatisfy { $0.count == 3000 })
    }

    /// Without a key such words are found once, and make every build slow from then on.
    @Test func `words that fall into one place fall into many under another key`() {
        let key = TermTable.Key(5, 0x9E37_79B9_7F4A_7C15)
        let words = (0..<400_000).lazy.map { Array("w\($0)".utf8) }
            .filter { word in
                let prefix = word.span.prefix(at: 0, count: word.count)
                return key.hash(word.span, word.indices, prefix) & 2047 == 0
            }.prefix(150)
        let colliding = Array(words)
        #expect(colliding.count == 150)
        func mostProbes(_ key: TermTable.Key) -> Int {
            var table = TermTable(expecting: 1024, key: key)
            for word in colliding { _ = table.add(word.span) }
            return colliding.map { table.probes(for: $0.span) }.max() ?? 0
        }
        #expect(mostProbes(key) == 150)
        #expect(mostProbes(.ofProcess) < 30)
    }

    @Test func `words of every length are distinguished, to the last byte`() {
        var table = TermTable()
        for length in 0..<40 {
            for byte in [UInt8(0), 97, 98] {
                _ = table.add((Array(repeating: 97, count: length) + [byte]).span)
            }
        }
        // 'a' behind n is 'a' n times and one more.
        #expect(table.count == 120)
        #expect(table.id(of: Array("aab".utf8).span) == 8)
    }
}
