import Markdown
import Testing

/// Emphasis beside Chinese, Japanese and Korean, as markdown-it-cjk-friendly and Markdig have it.
@Suite struct CJKEmphasisTests {
    private static func html(_ markdown: String, _ options: MarkdownOptions = .init()) throws
        -> String
    {
        String(decoding: try MarkdownFragment.html(Array(markdown.utf8), options), as: UTF8.self)
    }

    @Test(arguments: [
        ("**「テスト」**です", "<strong>「テスト」</strong>です"), ("**重要。**次", "<strong>重要。</strong>次"),
        ("これは**「重要」**です", "これは<strong>「重要」</strong>です"),
        ("**\"引用\"**は", "<strong>&quot;引用&quot;</strong>は"),
        ("**“引用”**は", "<strong>“引用”</strong>は"),
        ("我说**(注意)**吧", "我说<strong>(注意)</strong>吧"), ("a*。*b", "a<em>。</em>b"),
        ("**스크립트(script)**라고", "<strong>스크립트(script)</strong>라고"),
        ("我可以强调**这个`code`**吗", "我可以强调<strong>这个<code>code</code></strong>吗"),
        ("~~(取消)~~です", "<del>(取消)</del>です"), ("これは*「斜体」*です", "これは<em>「斜体」</em>です"),
        ("~~「取消」~~です", "<del>「取消」</del>です"),
        ("__注意__:注意", "<strong>注意</strong>:注意"), ("_「a」_ b", "<em>「a」</em> b"),
        ("**[リンク](a)**です", "<strong><a href=\"a\">リンク</a></strong>です"),
        ("葛\u{E0100}**(a)**葛", "葛\u{E0100}<strong>(a)</strong>葛"),
        ("大\u{FE00}**(a)**大", "大\u{FE00}<strong>(a)</strong>大"),
        // As CommonMark has it: other scripts, emoji, spaces, and '_' in words.
        ("a**(b)**c", "a**(b)**c"), ("a**“b”**c", "a**“b”**c"), ("👍**(b)**👍", "👍**(b)**👍"),
        ("日** a **本", "日** a **本"), ("日_「a」_本", "日_「a」_本"), ("日 ** 本", "日 ** 本"),
    ])
    func `is found without spaces`(markdown: String, html: String) throws {
        #expect(try Self.html(markdown) == "<p>\(html)</p>\n")
        #expect(try Self.html("x\n\(markdown)") == "<p>x\n\(html)</p>\n")
    }

    @Test func `CommonMark alone leaves it`() throws {
        var options = MarkdownOptions()
        options.commonMarkOnly = true
        #expect(try Self.html("**「a」**日", options) == "<p>**「a」**日</p>\n")
    }
}
