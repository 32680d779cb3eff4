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
}
