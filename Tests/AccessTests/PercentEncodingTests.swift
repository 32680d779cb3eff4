import Testing

@testable import Access

@Suite struct PercentEncodingTests {
    @Test(
        arguments: [
            ("", ""), ("/hr/", "/hr/"), ("a%20b", "a b"), ("%c3%A4", "ä"), ("%0A", "\n"),
            ("a+b", "a+b"),
            // No two hexadecimal digits.
            ("%", nil), ("%2", nil), ("%2x", nil), ("%g0", nil), ("%+A", nil), ("%-0", nil),
            ("% A", nil), ("%0", nil), ("%%20", nil), ("%Ａ0", nil),
            // No UTF-8.
            ("%ff", nil), ("%c3", nil),
        ] as [(String, String?)]
    )
    func `two hexadecimal digits follow a percent sign`(_ text: String, _ expected: String?) {
        #expect(PercentEncoding.decode(text) == expected)
        #expect(PercentEncoding.decode(text[...]) == expected)
    }

    @Test func `a policy with a sign in an encoded byte is none`() {
        let policy = { (byte: String) in "site-access 1\nallow public /a\(byte)b/\nend 1\n" }
        #expect(AccessPolicy(text: policy("%20")) != nil)
        #expect(AccessPolicy(text: policy("%+A")) == nil)
        #expect(AccessPolicy(text: policy("%-0")) == nil)
    }
}
