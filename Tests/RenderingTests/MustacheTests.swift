import Testing

@testable import Rendering

@Suite struct MustacheTests {
    private static let context: MustacheValue = [
        "title": "<A> & 'b'", "empty": "", "no": false, "yes": true, "number": "5", "name": "part",
        "list": ["x", "y"], "none": [], "site": ["title": "S", "deep": ["er": "D"]],
        "rows": [["title": "1"], ["label": "2"]], "mixed": [true, false, ["x"]],
        "lines": "<\n->", "lineFeed": "\n", "accent": "\"\u{301} onclick=x",
        "html": .appended { $0 += "<b>".utf8 }, "bytes": .bytes(Array("<i>".utf8)),
    ]

    /// - Parameter templates: the one that is shown is `page`.
    private static func shown(_ templates: [String: String]) throws -> String {
        let templates = try templates.mapValues { try MustacheParser.template(Array($0.utf8)) }
        var renderer = MustacheRenderer(values: [context])
        try renderer.append(try #require(try MustacheScope(templates).linked("page")))
        return String(decoding: renderer.page, as: UTF8.self)
    }

    private static func shown(_ text: String) throws -> String { try shown(["page": text]) }

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
        ("{{accent}}", "&quot;\u{301} onclick=x"), ("{{html}}{{{html}}}", "&lt;b&gt;<b>"),
        ("{{bytes}}{{{bytes}}}", "&lt;i&gt;<i>"),
        ("{{#html}}{{{.}}}{{/html}}{{^html}}-{{/html}}", "<b>"),
        ("{{#mixed}}{{#.}}+{{.}}{{/.}}{{^.}}-{{/.}},{{/mixed}}", "+,+,+x,"),
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
        (["page": "a {{>part}} b", "part": "1\n2\n"], "a 1\n2\n b"),
        (
            ["page": "[{{>*name}}{{>*unknown}}{{>nix}}]", "part": "{{title}}"],
            "[&lt;A&gt; &amp; &#39;b&#39;]"
        ),
        (
            [
                "page": "{{<part}} text {{$one}}1{{/one}}{{/part}}",
                "part": "({{$one}}x{{/one}},{{$two}}y{{/two}})",
            ], "(1,y)"
        ),
        // The other cases are those of the specification, by their names.
        // Recursion
        (
            [
                "page": "{{<part}}{{$foo}}override{{/foo}}{{/part}}",
                "part": "{{$foo}}x{{/foo}} {{$bar}}{{<part2}}{{/part2}}{{/bar}}",
                "part2": "{{$foo}}y{{/foo}} {{<part}}{{$bar}}don't recurse{{/bar}}{{/part}}",
            ], "override override override don't recurse"
        ),
        // Multi-level inheritance
        (
            [
                "page": "{{<part}}{{$a}}c{{/a}}{{/part}}", "part": "{{<old}}{{$a}}p{{/a}}{{/old}}",
                "old": "{{<oldest}}{{$a}}o{{/a}}{{/oldest}}", "oldest": "{{$a}}g{{/a}}",
            ], "c"
        ),
        // Block scope
        (
            [
                "page": "{{<part}}{{$a}}I say {{title}}.{{/a}}{{/part}}",
                "part": "{{#site}}{{$a}}You say {{title}}.{{/a}}{{/site}}",
            ], "I say S."
        ),
        // Two overridden parents
        (
            [
                "page": "a {{<part}}{{$b}}1{{/b}}{{/part}} {{<part}}{{$b}}2{{/b}}{{/part}}\n",
                "part": "|{{$b}}...{{/b}}{{$c}} c{{/c}}|",
            ], "a |1 c| |2 c|\n"
        ),
    ])
    func `templates use others`(templates: [String: String], shown: String) throws {
        #expect(try Self.shown(templates) == shown)
    }

    /// Of a tag that stands alone, "any whitespace preceding the tag should be treated as
    /// indentation, and prepended to each line of the partial before rendering".
    @Test(arguments: [
        ("a\n  {{>part}}\nb\n", "1\n{{number}}\n\n2\n", "a\n  1\n  5\n  \n  2\nb\n"),
        // Lines of values are no lines of the partial.
        (" {{>part}}", "{{lineFeed}}\n", " \n\n"),
        ("  {{>part}}", "{{lines}}\na", "  &lt;\n-&gt;\n  a"),
        ("  {{>part}}", "{{empty}}\n{{#no}}\n{{/no}}\n{{unknown}}a\n", "  \n  a\n"),
        // A partial without lines leaves no white space.
        ("  {{>part}}\nb\n", "{{#no}}\na\n{{/no}}\n", "b\n"), ("  {{>part}}\nb\n", "", "b\n"),
        // A partial in a line has no indentation.
        ("  {{>part}}\n", "a {{>part2}}\nb\n", "  a 1\n  2\n\n  b\n"),
        // A section ends where it began, and a tag in the next line stands alone.
        ("{{#yes}}a\n{{/yes}}\n  {{#yes}}\nb\n  {{/yes}}\n", "", "a\nb\n"),
        // Inline Indentation
        ("  {{number}}  {{> part}}\n", ">\n>", "  5  >\n>\n"),
        // Standalone Line Endings
        ("|\r\n{{>part}}\r\n|", ">", "|\r\n>|"),
        // Standalone Without Previous Line
        ("  {{>part}}\n>", ">\n>", "  >\n  >>"),
        // Standalone Without Newline
        (">\n  {{>part}}", ">\n>", ">\n  >\n  >"),
        // Standalone Indentation
        (
            "\\\n {{>part}}\n/\n", "|\n{{{lines}}}a b{{{lines}}}c\n|\n",
            "\\\n |\n <\n->a b<\n->c\n |\n/\n"
        ),
        // Inherit
        ("{{<part}}{{/part}}\n", "{{$a}}b{{/a}}", "b"),
        // Override parent with newlines
        ("{{<part}}{{$a}}\nb\n\nc\n{{/a}}{{/part}}", "{{$a}}x{{/a}}", "b\n\nc\n"),
        // Inherit indentation
        ("{{<part}}{{$a}}b{{/a}}{{/part}}", "c:\n  {{$a}}x{{/a}}\n", "c:\n  b\n"),
        // Standalone parent
        ("Hi,\n  {{<part}}{{/part}}\n", "1\n2\n", "Hi,\n  1\n  2\n"),
        ("Hi {{<part}}{{/part}}\n", "1\n2", "Hi 1\n2\n"),
        // Standalone block
        (
            "{{<part}}{{$a}}\n1\n2{{/a}}\n{{/part}}\n", "Hi,\n  {{$a}}{{/a}}\n", "Hi,\n  1\n  2\n"
        ),
        // Block reindentation
        (
            "{{<part}}{{$a}}\n    1\n      2\n{{/a}}{{/part}}\n", "Hi,\n  {{$a}}\n  {{/a}}\n",
            "Hi,\n  1\n    2\n"
        ),
        // Intrinsic indentation
        (
            "{{<part}}{{$a}}\n1\n2\n{{/a}}{{/part}}\n", "Hi,\n{{$a}}\n  x\n{{/a}}\n",
            "Hi,\n  1\n  2\n"
        ),
        // A block that is not replaced stays as it is.
        ("  {{<part}}{{/part}}\n", "<\n  {{$a}}\n    x\n  {{/a}}\n>\n", "  <\n      x\n  >\n"),
        ("{{<part}}{{/part}}\n", "<\n  {{$a}}x{{/a}}\n>\n", "<\n  x\n>\n"),
    ])
    func `other templates are indented`(page: String, part: String, shown: String) throws {
        #expect(try Self.shown(["page": page, "part": part, "part2": "1\n  2\n"]) == shown)
    }

    @Test(
        .timeLimit(.minutes(5)),
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
        var renderer = MustacheRenderer(values: [["a": "a", "yes": true]])
        #expect(throws: MustacheScope.EndlessTemplate.self) {
            try renderer.append(try #require(try MustacheScope(templates).linked("a")))
        }
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
        ("a\n{{title", 2, 1), ("{{#a}}\n{{title}}", 2, 10), ("{{a}}\n {{/a}}", 2, 2),
        ("{{a b}}", 1, 5),
        ("{{#a}}{{/b}}", 1, 10), ("{{uppercased(title)}}", 1, 13), ("{{=<%}}", 1, 1),
        ("{{! a", 1, 1),
        ("{{<part}}{{title}}{{/part}}", 1, 28), ("{{{a}}", 1, 1),
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

extension MustacheValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` if it is no text.
    var string: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    public init(stringLiteral text: String) { self = .text(text) }

    public init(booleanLiteral isTrue: Bool) { self = .truth(isTrue) }

    public init(arrayLiteral elements: MustacheValue...) { self = .list(elements) }

    public init(dictionaryLiteral members: (String, MustacheValue)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
