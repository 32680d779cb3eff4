import Testing

@testable import SiteGenerator

@Suite struct MustacheTests {
    private static let context = TemplateContext([
        "title": "<A> & 'b'", "empty": "", "no": false, "yes": true, "number": 5, "name": "part",
        "list": ["x", "y"], "none": [String](),
        "site": TemplateContext(["title": "S", "deep": TemplateContext(["er": "D"])]),
        "rows": [TemplateContext(["title": "1"]), TemplateContext(["label": "2"])]
            as [any Sendable],
    ])

    private static func shown(_ text: String, _ others: [String: String] = [:]) throws -> String {
        let templates = try others.mapValues { try MustacheParser.template(Array($0.utf8)) }
        let template = try MustacheParser.template(Array(text.utf8))
        return String(decoding: template.render(context, templates), as: UTF8.self)
    }

    @Test(arguments: [
        ("{{title}} {{{title}}} {{& title }}", "&lt;A&gt; &amp; &#39;b&#39; <A> & 'b' <A> & 'b'"),
        (
            "{{number}}{{yes}}{{unknown}}{{site}}{{site.title}}{{site.deep.er}}{{site.x.er}}",
            "5trueSD"
        ),
        (
            "{{#yes}}a{{title}}{{/yes}}{{#no}}b{{/no}}{{^no}}c{{/no}}{{^yes}}d{{/yes}}",
            "a&lt;A&gt; &amp; &#39;b&#39;c"
        ),
        (
            "{{#list}}<{{.}}>{{/list}}{{^list}}-{{/list}}{{#none}}+{{/none}}{{^none}}none{{/none}}",
            "<x><y>none"
        ),
        ("{{#rows}}{{title}}{{.title}}{{label}},{{/rows}}", "11,&lt;A&gt; &amp; &#39;b&#39;2,"),
        ("{{#site}}{{title}}{{deep.er}}{{#deep}}{{title}}{{er}}{{/deep}}{{/site}}", "SDSD"),
        ("{{list}}{{rows}}", ""),
        ("{{#empty}}an empty text is something{{/empty}}", "an empty text is something"),
        ("{{! a\n comment }}a{{!}}", "a"),
        (
            "{{=<% %>=}}<%title%>{{title}}<%={{ }}=%>{{number}}",
            "&lt;A&gt; &amp; &#39;b&#39;{{title}}5"
        ),
        ("{ {{number}} } }}{", "{ 5 } }}{"), ("", ""), ("é\u{301}\"", "é\u{301}\""),
    ])
    func `values are shown`(text: String, shown: String) throws {
        #expect(try Self.shown(text) == shown)
    }

    @Test(
        arguments: [
            ("a\n  {{#yes}}\n  b\n  {{/yes}}  \nc\n", "a\n  b\nc\n"),
            ("a\r\n{{#yes}}\r\nb\r\n{{/yes}}\r\nc", "a\r\nb\r\nc"),
            ("a {{#yes}}\nb\n{{/yes}} c\n", "a \nb\n c\n"),
            ("{{#yes}}{{#yes}}\nb{{/yes}}{{/yes}}", "\nb"),
            ("  {{! c }}\nb\n  {{=| |=}}\n|number|\n", "b\n5\n"), ("  {{number}}\n", "  5\n"),
            ("{{#yes}}\n  b", nil),
        ] as [(String, String?)]
    )
    func `a tag that stands alone leaves no line`(text: String, shown: String?) {
        #expect((try? Self.shown(text)) == shown)
    }

    @Test(arguments: [
        ("a\n  {{>part}}\nb\n", "1\n{{number}}\n\n2\n", "a\n  1\n  5\n  \n  2\nb\n"),
        ("a {{>part}} b", "1\n2\n", "a 1\n2\n b"),
        ("[{{>*name}}{{>*unknown}}{{>nix}}]", "{{title}}", "[&lt;A&gt; &amp; &#39;b&#39;]"),
        (
            "{{<part}} text {{$one}}1{{/one}}{{/part}}", "({{$one}}x{{/one}},{{$two}}y{{/two}})",
            "(1,y)"
        ),
        (
            "{{<part}}\n  {{$one}}\n    1\n      2\n  {{/one}}\n{{/part}}\n",
            "<\n  {{$one}}\n  {{/one}}\n>\n", "<\n  1\n    2\n>\n"
        ),
    ])
    func `templates use others`(text: String, part: String, shown: String) throws {
        #expect(try Self.shown(text, ["part": part]) == shown)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            [
                "a": "{{<part}}{{$one}}{{>b}}{{/one}}{{/part}}", "b": "{{$one}}x{{/one}}",
                "part": "{{$one}}{{/one}}",
            ],
            ["a": "{{>*a}}{{>*a}}"], ["a": "{{#yes}}{{=<% %>=}}<%/yes%>{{>a}}{{>a}}"],
            [
                "a": "{{<part}}{{$one}}{{$one}}d{{/one}}{{/one}}{{/part}}",
                "part": "{{$one}}{{/one}}",
            ],
        ]
    )
    func `templates that include each other without an end are told`(texts: [String: String]) throws
    {
        let templates = try texts.mapValues { try MustacheParser.template(Array($0.utf8)) }
        let context = TemplateContext(["a": "a", "yes": true])
        let shown = templates["a"]?.render(context, templates) ?? []
        #expect(String(decoding: shown, as: UTF8.self) == MustacheTemplate.endless)
    }

    @Test func `sections have a depth`() throws {
        let text = {
            String(repeating: "{{#yes}}", count: $0) + String(repeating: "{{/yes}}", count: $0)
        }
        #expect(try Self.shown(text(100)) == "")
        let error = #expect(throws: MustacheError.self) {
            try MustacheParser.template(Array(text(100_000).utf8))
        }
        #expect(error?.line == 1)
    }

    @Test(arguments: [
        ("a\n{{title", 2, 8), ("{{#a}}\n{{title}}", 2, 10), ("{{a}}\n {{/a}}", 2, 5),
        ("{{a b}}", 1, 5),
        ("{{#a}}{{/b}}", 1, 10), ("{{uppercased(title)}}", 1, 13), ("{{=<%}}", 1, 8),
        ("{{! a", 1, 6),
        ("{{<part}}{{title}}{{/part}}", 1, 28), ("{{{a}}", 1, 5),
        // Columns are bytes, and lines end where editors end them.
        ("é{{a b}}", 1, 7), ("a\r\n{{a b}}", 2, 5), ("a\u{C}b\u{2028}{{a b}}", 1, 11),
    ])
    func `a mistake has its place`(text: String, line: Int, column: Int) {
        let error = #expect(throws: MustacheError.self) {
            try MustacheParser.template(Array(text.utf8))
        }
        #expect(error?.line == line && error?.column == column)
    }
}
