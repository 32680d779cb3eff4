import Testing

@testable import EntraEmulator

@Suite struct QueryItemsTests {
    @Test(arguments: [
        ("a=%41", "A"), ("a=1+2", "1 2"), ("a=%2B", "+"), ("a=%c3%B8", "ø"),
        // Not two hexadecimal digits, and left as they are; a sign is no digit.
        ("a=%+1", "% 1"), ("a=%-1", "%-1"), ("a=%4", "%4"), ("a=%", "%"), ("a=%G1", "%G1"),
        ("a=1&a=2", "2"), ("a=1&a=", "1"),
    ])
    func `values are decoded, and what is no code is kept`(text: String, value: String) {
        #expect(QueryItems(text)["a"] == value)
    }

    @Test(arguments: ["", "a b+c&d=e%f", "\u{0}\u{7F}\u{80}", "æøå 漢字 👩‍🚀", "-._~azAZ09"])
    func `what is written is read again`(value: String) {
        let text = QueryItems.encode([("a", value), ("b", "x")])
        #expect(text.utf8.allSatisfy { $0 > 32 && $0 < 127 })
        #expect(QueryItems(text).items.map(\.value) == [value, "x"])
        #expect(QueryItems.encode("a b/ø~") == "a%20b%2F%C3%B8~")
    }
}
