import Testing

@testable import Rendering

@Suite struct StyleSheetReferenceTests {
    @Test(arguments: [
        (#".a\"b{c:url(d)} .e\"f{}"#, ["d"]), (#"\"/*"url(d)*/"#, []),
        (#"a\\"url(b)"url(c)"#, ["c"]), (#"\"#, []), (#"a{content:"\"url(b)"}"#, []),
    ])
    func `an escaped quotation mark begins no string`(css: String, addresses: [String]) {
        #expect(StyleSheetReference.all(in: Array(css.utf8)).map(\.address) == addresses)
    }

    @Test(arguments: [
        (#"a{b:url( c url(d) url(e)}"#, ["c", "e"]), (#"url(a "/*) url(b)"#, ["a", "b"]),
        (#"url(a\) b) url(c)"#, [#"a\)"#, "c"]), ("url(", []), ("url( a", ["a"]),
    ])
    func `a URL without quotes ends with its bracket`(css: String, addresses: [String]) {
        #expect(StyleSheetReference.all(in: Array(css.utf8)).map(\.address) == addresses)
    }
}
