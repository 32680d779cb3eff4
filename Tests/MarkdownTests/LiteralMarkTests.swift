import Markdown
import Testing

/// Marks that stay text by accident, and marks of a merge.
@Suite struct LiteralMarkTests {
    private static func found(_ markdown: String) throws -> [String] {
        var options = MarkdownOptions()
        options.borrowedBlocks = true
        // '_' is a no-break space here.
        let text = markdown.replacing("_", with: "\u{A0}")
        let document = try RenderedDocument(Array(text.utf8), options)
        return document.diagnostics.compactMap { diagnostic in
            let place = "\(diagnostic.range.line):\(diagnostic.range.column)"
            switch diagnostic.kind {
            case .literalMark(let mark, _), .markInHTML(let mark): return "\(mark) \(place)"
            case .conflictMarks(let mark): return "\(mark) \(place)"
            default: return nil
            }
        }
    }

    @Test(arguments: [
        ("##_A", "## 1:3"), ("#_A", "# 1:2"), ("a\n\n-_b", "- 3:2"), ("*_a", "* 1:2"),
        ("+_a", "+ 1:2"),
        ("1._a", "1. 1:3"), ("12)_a", "12) 1:4"), ("a\n-_b", "- 2:2"), ("1. a\n2._b", "2. 2:3"),
        (">_a", "> 1:2"), ("> ##_a", "## 1:5"), ("- a\n  -_b", "- 2:4"), ("_- a", "- 1:1"),
        (" _ ## a", "## 1:2"), ("_> a", "> 1:1"), ("- [ ]_a", "[ ] 1:6"),
        ("- [_] a", "[\u{A0}] 1:3"),
        ("1. [x]_a", "[x] 1:7"), ("_```sh\na\n_```", "``` 1:1"), ("##A", "## 1:1"),
        ("###Ärger", "### 1:1"), ("```\na\n```_\nb", "``` 3:4"), ("> ~~~\n> a\n> _~~~", "~~~ 3:3"),
        ("#\u{3000}A", "# 1:2"), ("-\u{202F}a", "- 1:2"), ("#\u{200B}A", "# 1:2"),
        ("##\u{2007}A", "## 1:3"), ("*\u{2003}A", "* 1:2"), ("\u{FEFF}# A\u{FEFF}", ""),
        ("a\n\n\u{FEFF}# A", "# 3:1"),
        // As on GitHub, Markdown in a block of HTML stays text.
        ("<hr>\n**x** **y**", "** 2:1"), ("</div>\n```sh\na\n```", "``` 2:1"),
        ("- <br>\n  ## A", "## 2:3"), ("<td>a [b](c)</td>", "[…](…) 1:9"),
        ("<details>\n- a\n- b\n</details>", "- 2:1"), ("<div>\n|a|\n|---|\n</div>", "|- 3:1"),
    ])
    func `a mark that stays text is told at its place`(markdown: String, found: String) throws {
        let first = try Self.found(markdown).first ?? ""
        #expect(first == found)
        #expect(try Self.found("````\n\(markdown)\n````").isEmpty)
    }

    @Test(arguments: [
        "a_- b", "5_000", "am\n24._Dezember", "# A_b", "- a_b", "#1 #channel #A", "a ##B",
        "####### a",
        "-a", "*a*_b", "**_a", "1.5_a", "a\n\n`##_a`", "\\##_a", "| a |\n|---|\n| -_b |",
        "    ##_a",
        "[ ]_a", "```\n##_a\n```", "---", "1\\._a",
        "<td>2 ** 3 ** 4, **kwargs and a **</td>", "<pre>\n**x**\n</pre>", "<br>a\n\n**x**",
        "<p><code>**x**</code>", "<td>a[1](b</td>", "<p>\n- a\n</p>", "<p>\n# of items",
        "<div title=\"**a**\">", "<!-- **x** -->", "<p>a - b\n| c |", "<td>a # b ## c</td>",
    ])
    func `what people write is left alone`(markdown: String) throws {
        #expect(try Self.found(markdown).isEmpty)
    }

    private static let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n"

    @Test(arguments: [
        ("a\n\n\(conflict)", "<<<<<<< HEAD 3:1"), (conflict, "<<<<<<< HEAD 1:1"),
        ("<<<<<<< a\nb\n||||||| c\nd\n=======\ne\n>>>>>>> f", "<<<<<<< a 1:1"),
        (">>>>>>> feature/a", ">>>>>>> feature/a 1:1"),
        ("a\n=======\nb\n>>>>>>> c\n", ">>>>>>> c 4:1"),
        ("<<<<<<< HEAD\n```\na\n=======\n```\nb\n>>>>>>> x\n```\n", "<<<<<<< HEAD 1:1"),
        ("```\n<<<<<<< HEAD\na\n```\n=======\nb\n```\n>>>>>>> x\n", "======= 5:1"),
        ("<!--\n\(conflict)-->", "<<<<<<< HEAD 2:1"), ("a\r\n<<<<<<< b\r\n", "<<<<<<< b 2:1"),
        ("- a\n\(conflict)", "<<<<<<< HEAD 2:1"),
    ])
    func `a conflict of a merge is found`(markdown: String, found: String) throws {
        #expect(try Self.found(markdown).first == found)
    }

    @Test(arguments: [
        "```\n\(conflict)```", "~~~diff\n\(conflict)", "    <<<<<<< HEAD", "`<<<<<<< HEAD`",
        "```\n<<<<<<< HEAD\n```\n\nA\n\n```\n>>>>>>> b\n```", "Title\n=======",
        ">>>>>>> a\n>>>>>> b",
        "<<<<<<<< a", "<<<<<< a", "a <<<<<<< b", "|||||||\n", "||||||| a",
    ])
    func `a page may explain conflicts`(markdown: String) throws {
        #expect(try Self.found(markdown).isEmpty)
    }

    @Test func `front matter has conflicts, too`() {
        let found = ConflictMarks.first(in: Array("a: b\n<<<<<<< HEAD\nc: d\n".utf8))
        #expect(found?.line == 2 && found?.mark == "<<<<<<< HEAD")
        #expect(ConflictMarks.first(in: Array("a: <<<<<<< HEAD\n".utf8)) == nil)
    }
}
