import Testing

@testable import RelyingParty
@testable import SiteauthConfiguration

/// In which language readers are answered.
@Suite struct ReaderLanguageTests {
    private static let file = """
        {"languages": [
            {"tag": "de", "direction": "ltr", "texts": {"Welcome, {{name}}": "Hallo {{name}}!"}},
            {"tag": "pt-BR", "direction": "ltr", "texts": {}},
            {"tag": "zh-Hant", "direction": "ltr", "texts": {}},
            {"tag": "he", "direction": "rtl", "texts": {}}, {"tag": "en", "direction": "ltr", "texts": {}}
        ]}
        """

    @Test(
        arguments: [
            (nil, "de"), ("", "de"), ("he", "he"), ("pt-br, de;q=0.1", "pt-BR"), ("pt", "de"),
            ("fr;q=1, en;q=0.2, he;q=0.5", "he"), ("zh-TW", "zh-Hant"), ("iw-IL", "he"),
            ("he;q=1,\u{301}en", "he"), ("en;q=0, xx", "de"), ("*", "de"), (";;;q=,,", "de"),
            ("he;q=nan, en;q=-1", "de"),
            ("xx," + String(repeating: "yy,", count: 5000) + "en", "de"), ("EN-us", "en"),
            (String(repeating: "a-", count: 2000) + "b, he;q=0.1", "he"),
            ("a" + String(repeating: "-b", count: 3000), "de"),
        ] as [(String?, String)]
    )
    func `the browser chooses among several`(accept: String?, tag: String) throws {
        let languages = try #require(ReaderLanguages(Self.file))
        #expect(languages.preferred(accept).tag == tag)
    }

    @Test func `the site's own language stands without a choice`() throws {
        let text = #"{"languages": [{"tag": "de", "direction": "ltr", "texts": {}}]}"#
        #expect(try #require(ReaderLanguages(text)).preferred("en").tag == "de")
    }

    @Test func `values stand in a text as they are, and a text that is missing is English`() throws
    {
        let german = try #require(ReaderLanguages(Self.file)).languages[0]
        let name = "{{name}} <b>&"
        #expect(german(ReaderText("Welcome, {{name}}", ["name": name])) == "Hallo {{name}} <b>&!")
        #expect(german("Sign out") == "Sign out")
        let request = Request(route: .me, reference: "1")
        let page = ReaderPage(
            status: .ok,
            title: ReaderText("Welcome, {{name}}", ["name": name]),
            sentences: []
        )
        #expect(page.framed(german, request).content.contains("Hallo {{name}} &lt;b&gt;&amp;!"))
    }

    @Test func `titles stand in place of the names of groups`() throws {
        let text = #"{"languages": [{"tag": "de", "texts": {}, "direction": "ltr"}]"#
        let german = try #require(ReaderLanguages(text + #", "groups": {"hr": "A & B"}}"#))
            .languages[0]
        let page = ReaderPage(
            .ok,
            title: "Your account",
            facts: [("Groups", .groups(["hr", "it"]))]
        )
        let shown = page.framed(german, Request(route: .me, reference: "1")).content
        #expect(shown.contains("<dd>A &amp; B, it</dd>"))
        #expect(ReaderLanguages(text + #", "groups": 1}"#) == nil)
    }

    @Test func `a time is written as the site writes days, and a script can write it again`() throws
    {
        let text = """
            {"languages": [{"tag": "de", "direction": "ltr", "texts": {}, "dates": {
                "format": "{{day}}. {{month}} {{year}}",
                "months": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Nov<", "12"]
            }}]}
            """
        let german = try #require(ReaderLanguages(text)).languages[0]
        let months = "data-months=\"1|2|3|4|5|6|7|8|9|10|Nov&lt;|12\""
        let format = "data-format=\"{{day}}. {{month}} {{year}}\""
        #expect(
            CalendarTime.html(1_795_331_744, german)
                == "<time datetime=\"2026-11-22T07:15Z\" \(format) \(months)>22. Nov&lt; 2026, 07:15 UTC</time>"
        )
        #expect(
            CalendarTime.html(1_795_331_744, .english)
                == "<time datetime=\"2026-11-22T07:15Z\">2026-11-22 07:15 UTC</time>"
        )
    }

    @Test func `a page in another language than its frame says so`() throws {
        let hebrew = try #require(ReaderLanguages(Self.file)).languages[3]
        let page = PageFrame(title: "T", content: "<p>x</p>\n", language: hebrew)
        let frame = "<html lang=\"de\">\(PageFrame.contentMark)"
        #expect(
            String(decoding: page.bytes(in: frame), as: UTF8.self)
                == "<html lang=\"de\"><div lang=\"he\" dir=\"rtl\">\n<p>x</p>\n</div>\n"
        )
    }

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"languages": []}"#, #"{"languages": [{"tag": "de"}]}"#,
        #"{"languages": {"tag": "de"}}"#,
        #"{"languages": [{"tag": 1, "direction": "", "texts": {}}]}"#,
    ])
    func `a file of another form is not used`(text: String) {
        #expect(ReaderLanguages(text) == nil)
    }
}
