import Testing
import UTF8Proc

@Suite struct UnicodeScalarTests {
    @Test func `wide characters take two columns, marks none`() {
        let columns = "aé漢ｶＡ한😀\u{301}\u{200D}".unicodeScalars.map(\.columns)
        #expect(columns == [1, 1, 2, 1, 2, 2, 2, 0, 0])
    }

    @Test(
        arguments: [
            ("É", "e\u{301}"), ("ﬁ", "fi"), ("İ", "i\u{307}"), ("𝐁", "b"), ("Ω", "ω"),
            ("ำ", "\u{E4D}\u{E32}"),
            ("한", "\u{1112}\u{1161}\u{11AB}"), ("z", "z"), ("\u{0}", "\u{0}"),
            ("\u{10FFFF}", "\u{10FFFF}"),
        ] as [(Unicode.Scalar, String)]
    )
    func `a character is taken apart in lower case`(_ scalar: Unicode.Scalar, _ parts: String) {
        #expect(scalar.lowercaseDecomposition == Array(parts.unicodeScalars))
    }

    @Test func `the longest decomposition fits`() {
        let counts = (UInt32(0)...0x10FFFF).compactMap(Unicode.Scalar.init)
            .map(\.lowercaseDecomposition.count)
        #expect(counts.max() == 18 && counts.min() == 1)
    }

    @Test(arguments: [
        ("e\u{301}", "é"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("", ""), ("क\u{93C}", "क\u{93C}"),
        ("ก\u{E48}\u{E39}", "ก\u{E39}\u{E48}"),
    ])
    func `a text is composed, and its marks are in their order`(_ parts: String, _ whole: String) {
        let composed = Normalization.composed(Array(parts.utf8))
        #expect(composed == Array(whole.unicodeScalars))
    }
}
