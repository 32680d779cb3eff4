import Testing

@testable import CodeBlocks
@testable import Markdown

/// What stands behind the language of a code block, as other tools write it.
@Suite struct CodeInfoTests {
    @Test(arguments: [
        // Material for MkDocs
        #"py title="bubble sort.py" linenums="1" hl_lines="2 3-5""#,
        #"{ .py title="bubble sort.py" linenums="1" hl_lines="2 3-5" .annotate }"#,
        // Docusaurus
        #"jsx title="bubble sort.py" {2,3-5} showLineNumbers"#,
        // Hugo
        #"go {linenos=table,hl_lines=[2,"3-5"],linenostart=1,title="bubble sort.py"}"#,
        #"go {linenos=inline hl_lines=["2","3-5"] filename="bubble sort.py"}"#,
        // VitePress
        "ts:line-numbers {2,3-5} [bubble sort.py]",
        "ts{2,3-5}:line-numbers lineNos [bubble sort.py]",
        // Starlight
        #"js {2, 3-5} title='bubble sort.py' showLineNumbers "a word""#,
    ])
    func `titles, numbers and marked lines are those of the tool`(info: String) {
        let code = CodeInfo(info)
        #expect(code.title == "bubble sort.py")
        #expect(code.firstNumber == 1 || info.contains("lineNos"))
        #expect(code.marked == [2...2, 3...5])
        #expect(code.isAnnotated == info.contains("annotate"))
    }

    @Test(
        arguments: [
            ("py linenums=42", 42), (#"py linenums="0""#, 0), ("ts:line-numbers=7", 7),
            ("js showLineNumbers=3", 3), ("js showLineNumbers startLineNumber=5", 5),
            ("go {linenos=false}", nil), ("go {linenos=true,linenostart=9}", 9),
            (#"{.python .numberLines startFrom="100"}"#, 100), ("py linenums=-1", 1),
            ("py linenums=99999999999999999999", 1), ("js showLineNumbers=false", nil), ("py", nil),
            ("", nil),
        ] as [(String, Int?)]
    )
    func `lines begin with a number`(info: String, number: Int?) {
        #expect(CodeInfo(info).firstNumber == number)
    }

    @Test func `lines are inserted and deleted`() {
        let code = CodeInfo(#"js del={1} ins={2-3} mark={4}"#)
        #expect(code.deleted == [1...1] && code.inserted == [2...3] && code.marked == [4...4])
    }

    @Test(arguments: [
        "py {", "py }", "py {{{{", "py =", "py ==", "py title=", #"py title=""#, "py title='",
        "py [",
        "py hl_lines=[", "py {1-}", "py {-}", "py {5-2}", "py {0}", "py {9-99999999999999999999x}",
        "{", "{}", "{.}", "{=html}", "py {a{b}c}", "py \u{0}\u{7f}é=ü", "py ,,,,", #"py {"}"}"#,
    ])
    func `what nobody understands has no effect`(info: String) {
        let code = CodeInfo(info)
        #expect(!code.hasLines)
        #expect(code.title ?? "" == "")
    }

    @Test func `a long row of signs is read once`() {
        for sign in ["{", "[", "\"", "=", "a=", "{a=", "1-", "{1,"] {
            _ = CodeInfo("py " + String(repeating: sign, count: 100_000))
        }
    }

    @Test func `lines are marked once, however often they are named`() {
        let code = Array(repeating: UInt8(ascii: "\n"), count: 200_000)
        let ranges = Array(repeating: "1-200000", count: 50_000).joined(separator: ",")
        let lines = CodeLines(code.span, CodeInfo("js {\(ranges)}"), isDiff: false)
        #expect(lines.marks.count == code.count + "<b></b>".utf8.count)
    }

    @Test(
        arguments: [
            ("title=\"a.txt\"", nil, "a.txt"), ("{2}", nil, nil), ("[a.txt]", nil, "a.txt"),
            ("{ .py title=\"m.py\" }", "py", "m.py"), ("{hl_lines=[2]}", nil, nil),
            ("linenums=\"1\"", nil, nil), ("py title=“Two words”", "py", "Two words"),
            ("py title='Two words'", "py", "Two words"), ("py title=Two words", "py", "Two words"),
            ("py title=a.py linenums", "py", "a.py"), ("py title=\"a\" copy", "py", "a"),
            ("py a.py", "py", nil),
        ] as [(String, String?, String?)]
    )
    func `an option in place of the language is none`(
        info: String,
        language: String?,
        title: String?
    ) {
        #expect(CodeLanguage.name(inInfo: info) == language)
        #expect(CodeInfo(info).title == title)
    }

    @Test(arguments: [
        ("a = 1  # (1)!", "a = 1  ❶"), ("a(1)", "a(1)"), ("f() // (12)", "f() ⓬"),
        ("x /* (2)! */", "x ❷"),
        ("<p> <!-- (3)! -->", "<p> ❸"), ("# (21)", "# (21)"), ("a # (0)", "a # (0)"),
        ("# (1) more", "# (1) more"),
        ("(1)", "(1)"), ("", ""), ("!", "!"), (")", ")"), ("-- (1)", "❶"), ("a # ()", "a # ()"),
    ])
    func `a number in a comment is a sign`(line: String, annotated: String) {
        let code = Array("\(line)\n\(line)".utf8)
        let found = CodeAnnotations.numbered(code)
        #expect(String(decoding: found, as: UTF8.self) == "\(annotated)\n\(annotated)")
    }

    @Test(
        arguments: [
            ("a // [!code ++]\nb # [!code --]", "a\nb", [1...1], [2...2], []),
            ("a <!-- [!code highlight:2] -->\nb\nc", "a\nb\nc", [], [], [1...2]),
            (
                "// highlight-next-line\na\n\n# highlight-start\nb\nc\n# highlight-end\nd",
                "a\n\nb\nc\nd", [], [], [1...1, 3...4]
            ),
            (
                "{/* highlight-next-line */}\n<a/> {/* [!code hl] */}", "<a/>", [], [],
                [1...1, 1...1]
            ),
            ("/* [!code focus] */\na -- [!code ++]", "a", [1...1], [], [1...1]),
            ("// [!code word:a]\na ; [!code error]", "a", [], [], [1...1]),
        ] as [(String, String, [ClosedRange<Int>], [ClosedRange<Int>], [ClosedRange<Int>])]
    )
    func `comments mark lines, and go`(
        code: String,
        shown: String,
        inserted: [ClosedRange<Int>],
        deleted: [ClosedRange<Int>],
        marked: [ClosedRange<Int>]
    ) throws {
        let found = try #require(CodeMarks.read(Array("\(code)\n".utf8), nil))
        #expect(String(decoding: found.code, as: UTF8.self) == "\(shown)\n")
        #expect(found.info.inserted == inserted && found.info.deleted == deleted)
        #expect(found.info.marked == marked)
    }

    @Test(arguments: [
        "a [!code ++]", "// [!code ++] b", "// [!code wow]", "// highlight-next-line-x",
        "let highlight-start", "x // highlight-next-line", "// [!code highlight:0]", "[!code",
        "a!-",
        "// [!code highlight:x]", "\"# [!code ++]\"", "highlight-", "",
    ])
    func `other code stays`(code: String) {
        #expect(CodeMarks.read(Array("\(code)\n".utf8), nil) == nil)
    }

    @Test func `comments of a page mark lines, but not in a text about Markdown`() throws {
        var options = MarkdownOptions()
        (options.themed, options.borrowedBlocks) = (true, true)
        let markdown = "```LANGUAGE {2}\na // [!code --]\nb\n```\n"
        for (language, marks) in [("js", "<del>−\n</del><b>\n</b>"), ("md", "\n<b>\n</b>")] {
            let text = Array(markdown.replacing("LANGUAGE", with: language).utf8)
            let html = String(decoding: try MarkdownFragment.html(text, options), as: UTF8.self)
            #expect(html.contains("aria-hidden=\"true\">\(marks)</span>"))
            #expect(html.contains("[!code") == (language == "md"))
        }
        let gitBook =
            "{% code title=\"a.sh\" lineNumbers=\"true\" %}\n```sh\nb\n```\n{% endcode %}\n\n~~~\nc\n~~~"
        let html = String(
            decoding: try MarkdownFragment.html(Array(gitBook.utf8), options),
            as: UTF8.self
        )
        #expect(
            html == """
                <div class="code" data-language="Shell">
                <p class="code-title">a.sh</p>
                <pre><span class="code-numbers" aria-hidden="true">1</span><code class="language-sh">b
                </code></pre>
                </div>
                <div class="code">
                <pre><code>c
                </code></pre>
                </div>

                """
        )
    }

    @Test func `a block has a title, numbers and what lies behind its lines`() throws {
        var options = MarkdownOptions()
        options.themed = true
        let markdown = """
            ```py title="<a>.py" linenums="9" {2}
            a
            b
            c
            ```

            ```diff ins={9}
             a
            -b
            +c
            +d
            ```
            """
        let html = String(
            decoding: try MarkdownFragment.html(Array(markdown.utf8), options),
            as: UTF8.self
        )
        #expect(
            html == """
                <div class="code" data-language="Python">
                <p class="code-title">&lt;a&gt;.py</p>
                <pre><span class="code-numbers" aria-hidden="true">9
                10
                11</span><span class="code-marks" aria-hidden="true">
                <b>
                </b>
                </span><code class="language-py">a
                b
                c
                </code></pre>
                </div>
                <div class="code" data-language="Diff">
                <pre><span class="code-marks" aria-hidden="true">
                <del>
                </del><ins>

                </ins></span><code class="language-diff"> a
                -b
                +c
                +d
                </code></pre>
                </div>

                """
        )
    }
}
