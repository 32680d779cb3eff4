import Diagnostics
import Testing

@testable import Site

/// What stands on a page in place of a form.
@Suite struct TextExpansionTests {
    /// Files by path.
    struct Texts: IncludableTexts {
        let files: [String: String]
        let folder = "docs"

        func has(_ path: String) -> Bool { files[path] != nil }
        func absence(of path: String) -> String { "no '\(path)'" }

        func paths(ofNote name: String, from path: String) -> [String] {
            files.keys.filter { $0.hasSuffix("\(name).md") }.sorted()
        }

        mutating func read(
            _ path: String,
            at location: Diagnostics.SourceLocation,
            maximumBytes: Int
        ) throws(IncludeRefusal) -> IncludableText {
            let text = files[path] ?? ""
            if text.utf8.count > maximumBytes { throw IncludeRefusal(message: "too large") }
            return IncludableText(path: path, displayPath: path, text: Array(text.utf8))
        }
    }

    static let files = [
        "a.md": "one\n\ntwo\n", "b/c.md": "c {{#include d.md}}\n", "b/d.md": "d",
        "main.rs": """
        fn main() {
            // ANCHOR: all
            let a = 1;
            // ANCHOR: inner
            let b = 2;
            // ANCHOR_END: inner
            // ANCHOR_END: all
        }

        """,
        "app.py": "# --8<-- [start:run]\nrun()\n# --8<-- [end:run]\nstop()\n",
        "Main.cs":
            "#region A\nint a;\n#region B\nint b;\n#endregion\n#endregion\n// <C>\nc\n// </C>\n",
        "note.md":
            "# Note\n\n## Keys & locks\n\nkeys\n\n```sh\n# no heading\n```\n\n### Below\n\nx\n\nDoors\n-----\n\nd\n",
        "loop.md": "{{#include other.md}}", "other.md": "{{#include loop.md}}",
        "fence.md": "```sh\nx\n```", "p.md": "p",
        "b/x.ts": "1\n// #region r\n2\n3\n// #endregion r\n",
    ]

    static func expand(
        _ text: String,
        _ files: [String: String] = files,
        variables: [String: String] = ["name": "Ada", "v1.2": "{{ name }}"],
        page: [String: String] = ["own": "page"]
    ) -> TextExpansion<Texts>? {
        TextExpansion(
            IncludableText(path: "p.md", displayPath: "p.md", text: Array(text.utf8)),
            TextVariables(site: variables, page: page),
            Texts(files: files)
        )
    }

    /// What a text becomes, `nil` if it stays, and a part of the finding about it.
    struct Case: Sendable {
        let text: String
        let expected: String?
        let finding: String?

        init(_ text: String, _ expected: String?, _ finding: String? = nil) {
            (self.text, self.expected, self.finding) = (text, expected, finding)
        }
    }

    static let cases = [
        // mdBook, and the handbook.
        Case("x {{#include a.md:1}} y", "x one y"), Case("{{#include a.md}}\nz", "one\n\ntwo\nz"),
        Case("{{ #include b/c.md }}", "c d"),
        Case("{{#include main.rs:2:}}", "    let a = 1;\n    let b = 2;\n}"),
        Case("{{#include main.rs::3}}", "fn main() {\n    let a = 1;"),
        Case("{{#include main.rs:inner}}", "    let b = 2;"),
        Case("{{#rustdoc_include main.rs:all}}", "    let a = 1;\n    let b = 2;"),
        Case("{{#playground main.rs:inner editable}}", "```rust\n    let b = 2;\n```"),
        Case("{{#title x}}", nil), Case("{{#include}}", nil), Case("{{#includes a.md}}", nil),
        // PyMdown.
        Case("--8<-- \"a.md\"", "one\n\ntwo"), Case("  -8<- 'docs/a.md:3'  ", "  two"),
        Case("--8<-- \"app.py:run\"", "run()"), Case("--8<-- \"app.py\"", "run()\nstop()"),
        Case("--8<-- \"a.md:1:1,3:3\"", "one\ntwo"),
        Case("--8<--\na.md:1:1\n\n; b.md\nb/d.md\n--8<--\nz", "one\nd\nz"),
        Case("x --8<-- \"a.md\"", nil), Case("--8<-- \"a.md\" x", nil), Case("--8<--\na.md", nil),
        Case("a\n--8<-- [start:x]\nb", "a\n\nb"),
        // DocFX.
        Case("x [!INCLUDE [t](b/c.md)] y", "x c d y"), Case("[!include[](a.md#L1)]", "one"),
        Case("[!INCLUDE [t](b%2Fd.md \"title\")]", "d"), Case("[!NOTE] [x](a.md)", nil),
        Case("[!code-csharp[](Main.cs#B)]", "```csharp\nint b;\n```"),
        Case("[!code-csharp[](Main.cs#A)]", "```csharp\nint a;\nint b;\n```"),
        Case("[!code-cs[t](Main.cs?name=C&highlight=1)]", "```cs\nc\n```"),
        Case("[!code[](fence.md?range=2-2)]", "````\nx\n````"),
        // VitePress.
        Case("x <!--@include: ./a.md--> y", "x one\n\ntwo y"),
        Case("<!-- @include: @/a.md{3,} -->", "two"), Case("<!--@include: a.md{,1}-->", "one"),
        Case("<!--@include: note.md#keys-locks{3,3}-->", "keys"),
        Case("<!--@include: b/x.ts#r-->", "2\n3"), Case("<!-- a @include: a.md -->", nil),
        Case("<!--@include: a.md#none-->", "", "the region or heading 'none'"),
        Case("<!--@include: none.md-->", "", "no 'none.md'"),
        Case("<!--@include: a.md{x}-->", "", "the region 'x'"),
        Case("`<!--@include: a.md-->`", nil),
        Case("<<< ./b/d.md", "```md [d.md]\nd\n```"),
        Case(
            "- <<< @/b/x.ts#r{1,3-5 js:line-numbers} [T a]",
            "- ```js:line-numbers{1,3-5} [T a]\n  2\n  3\n  ```"
        ),
        Case("<<< @/b/x.ts{js}[t]", "```js [t]\n1\n// #region r\n2\n3\n// #endregion r\n```"),
        Case("<<< ./none.ts", "", "no 'none.ts'"), Case("x <<< ./a.md", nil),
        Case("<<< look here", nil), Case("<<<<<<< a/b", nil), Case("<<< a.md b", nil),
        Case("```\n<<< ./a.md\n```", nil),
        // Python-Markdown.
        Case("x {!docs/b/d.md!} y", "x d y"), Case("{! a.md!lines=1 3-3}", "one\ntwo"),
        Case("{!> b/d.md !}", "d"), Case("{!none.md!}", "", "no 'none.md'"),
        Case("{!x!} {!!a.md!!} {!a.md} {!$a.b!}", nil), Case("\\{!a.md!}", nil),
        // Quarto.
        Case("{{< include b/d.md >}}", "d"),
        // GitLab.
        Case("::include{file=b/d.md}", "d"), Case("x ::include{file=b/d.md}", nil),
        Case("::include{file=../a.md}", "", "outside"), Case("::include{src=a.md}", nil),
        Case("```\n::include{file=a.md:1}\n```", "```\none\n```"),
        // Obsidian.
        Case("![[note#keys]]", "", "no"), Case("![[a]]", "one\n\ntwo"), Case("![[a.png]]", nil),
        Case("see ![[a]]", nil), Case("![[a]](x)", nil), Case("![[note#^b]]", nil),
        Case(
            "![[note#Keys & Locks|k]]",
            "## Keys & locks\n\nkeys\n\n```sh\n# no heading\n```\n\n### Below\n\nx"
        ), Case("![[note#doors]]", "Doors\n-----\n\nd"),
        Case("![[note#Keys locks#Below]]", "### Below\n\nx"),
        // Lists, quotations and code.
        Case("- x\n  {{#include a.md}}\n- y", "- x\n  one\n\n  two\n- y"),
        Case("1. {{#include a.md}}", "1. one\n\n   two"),
        Case("> {{#include a.md}}", "> one\n>\n> two"),
        Case("> - ![[a]]", "> - one\n>\n>   two"),
        Case(
            "- ```\n  {{#include main.rs::3}}\n  ```",
            "- ```\n  fn main() {\n      let a = 1;\n  ```"
        ),
        Case("```py\n--8<-- 'app.py:run'\n```", "```py\nrun()\n```"),
        Case("```\n![[a]]\n[!INCLUDE [x](a.md)]\n```", nil),
        Case(
            "```md\n{{#include a.md:1}}\n{{#include none.md}}\n```",
            "```md\none\n{{#include none.md}}\n```"
        ),
        // As it is.
        Case("\\{{#include a.md}}", nil), Case("`{{#include a.md}}`", nil),
        Case(";--8<-- \"a.md\"", "--8<-- \"a.md\""),
        Case("```\n\\{{#include a.md}}\n```", "```\n{{#include a.md}}\n```"),
        Case("``{{#include a.md}}`` {{#include b/d.md}}", "``{{#include a.md}}`` d"),
        // Variables.
        Case("{{ name }}, {{name}} and `{{ name }}`", "Ada, Ada and `Ada`"),
        Case(
            "{{ own }} {{ page.own }} {{ site.name }} {{ page.name }}",
            "page page Ada {{ page.name }}"
        ),
        Case("{{< param name >}} {{% var \"own\" %}}", "Ada page"),
        Case("{{ v1.2 }}", "{{ name }}"),
        Case("{{ .Values.name }} {{ other }} {{ name | upper }} ${{ x }}", nil),
        Case("```\n\\{{ name }} {{ name }}\n```", "```\n{{ name }} Ada\n```"),
        Case("\\{{ name }}", nil),
        Case("{{#include {{ name }}}}", "}}", "no"),
        // Nothing of it.
        Case("{{#include loop.md}}", "", "itself"),
        Case("{{#include none.md}}", "", "no 'none.md'"),
        Case("{{#include p.md}}", "", "itself"), Case("{{#include ../a.md}}", "", "outside"),
        Case("{{#include main.rs:none}}", "", "the region 'none'"),
        Case("{{#include a.md:9:10}}", "", "lines 9–10"),
        Case("--8<-- \"https://a.b/c\"", "", "not a file"),
        Case("![[note#none]]", "", "the heading 'none'"),
    ]

    @Test(arguments: cases)
    func `a form is replaced`(_ one: Case) {
        let (text, expected, finding) = (one.text, one.expected, one.finding)
        let made = Self.expand(text)
        if expected == nil, let made {
            // A form may be left as it is, because another file is missing.
            #expect(made.isOpen && made.text.bytes == Array(text.utf8))
        } else {
            #expect(made.map { String(decoding: $0.text.bytes, as: UTF8.self) } == expected)
        }
        let messages = made?.diagnostics.map(\.message) ?? []
        #expect(messages.count == (finding == nil ? 0 : 1), "\(messages)")
        if let finding { #expect(messages.first?.contains(finding) == true, "\(messages)") }
    }

    @Test(arguments: [
        ("{{ name }}'s {{own}}", "Ada's page", true),
        ("{{ other }} of {{ name }}", "{{ other }} of Ada", false),
        ("{{#include a.md}}", "{{#include a.md}}", false), ("{{ v1.2 }}", "{{ name }}", true),
        ("![[a]] --8<-- 'a.md'", "![[a]] --8<-- 'a.md'", true), ("{{", "{{", true),
        ("plain", "plain", true),
    ])
    func `a title has values, and no text of a file`(text: String, made: String, isWhole: Bool) {
        let variables = TextVariables(
            site: ["name": "Ada", "v1.2": "{{ name }}"],
            page: ["own": "page"]
        )
        #expect(variables.filled(text) == made)
        #expect(variables.leaves(in: text) == !isWhole)
    }

    @Test func `every place leads to its file`() throws {
        let files = ["a.md": "one\n  two\n", "b.md": "x\n{{#include a.md}} y {{ name }} z\nlast\n"]
        let made = try #require(
            Self.expand("top {{ name }} t\n\n- {{#include b.md:2:}}\nend\n", files)
        )
        let text = String(decoding: made.text.bytes, as: UTF8.self)
        #expect(text == "top Ada t\n\n- one\n    two y Ada z\n  last\nend\n")
        let places = [
            (1, 1, "p.md:1:1"), (1, 5, "p.md:1:5"), (1, 9, "p.md:1:16"), (3, 1, "p.md:3:1"),
            (3, 3, "a.md:1:1 < b.md:2:1 < p.md:3:3"), (4, 5, "a.md:2:3 < b.md:2:1 < p.md:3:3"),
            (4, 9, "b.md:2:19 < p.md:3:3"), (4, 11, "b.md:2:21 < p.md:3:3"),
            (4, 15, "b.md:2:32 < p.md:3:3"), (5, 3, "b.md:3:1 < p.md:3:3"), (6, 2, "p.md:4:2"),
        ]
        for (line, column, expected) in places {
            let found = made.text.map.location(.init(line: line, column: column), length: nil)
            let all = ([found] + found.includedAt).map(\.text).joined(separator: " < ")
            #expect(all == expected, "\(line):\(column)")
        }
    }

    @Test(arguments: [
        ("", "{{#include ", ""), ("", "`{{#include a}}", ""), ("", "--8<--\n", ""),
        ("", "[!INCLUDE [", ""), ("", "![[a", ""), ("", "> ", "{{#include a.md}}"),
        ("", "{{ name }}", ""), ("", "`{{ x }}``", ""), ("", "--8<--\nx\n", ""), ("", "{{{{", ""),
        ("", "{{#include a.md}}\n", ""), ("", "-----", "8<-"), ("", "![[note#x]]\n", ""),
        ("", "{!", ""), ("", "<!--@include:", ""), ("<<< a/", "[{#", ""), ("", "<<<", ""),
        ("", "<!-- ", ""), ("", "{!a.b!lines=", ""),
        ("", "::include{", ""), ("", "- ", "![[a]]"), ("", "![[a]] ", "x"),
        ("```\n", "\\{{#include a}}", ""),
    ])
    func `a hostile text is read in linear time`(_ start: String, _ part: String, _ end: String) {
        func time(_ count: Int) -> Double {
            let text = start + String(repeating: part, count: count) + end
            return ContinuousClock().measure { _ = Self.expand(text) } / .milliseconds(1)
        }
        // Eight times the text; it would be 64 times the time if it were quadratic. Other work of
        // the machine may count once.
        var isLinear = false
        for _ in 0..<3 where !isLinear { isLinear = time(4000) < 24 * time(500) + 40 }
        #expect(isLinear, "\(part)")
    }

    @Test func `a text that includes itself many times over ends with one finding`() throws {
        var files = ["x9.md": String(repeating: "laugh\n", count: 1000)]
        for level in 0..<9 {
            files["x\(level).md"] = String(repeating: "{{#include x\(level + 1).md}}\n", count: 10)
        }
        let text = "{{#include x0.md}}\n{{#include x0.md}}\n"
        let made = try #require(Self.expand(text, files))
        #expect(made.diagnostics.count == 1 && made.text.bytes.count < 10 << 20)
        let big = [
            "x.md": String(repeating: "{{#include y.md}}", count: 900),
            "y.md": String(repeating: "y", count: 1 << 20),
        ]
        let second = try #require(Self.expand("{{#include x.md}}", big))
        #expect(second.text.bytes.count < 40 << 20 && !second.diagnostics.isEmpty)
        let spaces = String(repeating: " ", count: 190)
        let wide = Self.expand(
            spaces + "{{#include n.md}}",
            ["n.md": String(repeating: "x\n", count: 1 << 20)]
        )
        #expect(try #require(wide).text.bytes.count < 40 << 20)
    }
}
