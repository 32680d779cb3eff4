import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// In Swift, a sign and a combining mark after it are one Character; to other programs they are
/// two.
@Suite struct CombiningMarkTests {
    @Test(arguments: [
        ("a=1&\u{301}b=2", "a", "1"), ("a=1&\u{301}b=2", "\u{301}b", "2"),
        ("a=\u{301}x", "a", "\u{301}x"), ("a=1=\u{301}", "a", "1=\u{301}"),
        ("a=1&\u{301}", "a", "1"),
    ]) func `a parameter ends where other programs end it`(
        query: String,
        name: String,
        value: String
    ) throws {
        let form = try #require(Form(query))
        #expect(form[name].map { Array($0.utf8) } == Array(value.utf8))
    }

    @Test(
        arguments: [
            ("NAME=\"\u{301}x\"", "\u{301}x"), ("NAME='a'", "a"), ("NAME='\u{301}' # c", "\u{301}"),
            ("NAME=\u{301}x", "\u{301}x"), ("NAME=a #\u{301}c", "a"), ("NAME= #\u{301}c", ""),
            ("export \u{301}NAME=a", nil), ("#\u{301}NAME=a", nil),
        ] as [(String, String?)]
    )
    func `a variable in a file is what other programs read`(line: String, value: String?) {
        let file = DotEnv("# c\n\(line)\nOTHER=1\n", path: ".env")
        #expect(file.values["NAME"].map { Array($0.utf8) } == value.map { Array($0.utf8) })
        #expect(file.values["OTHER"] == "1")
    }
}
