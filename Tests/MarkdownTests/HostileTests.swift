import Foundation
import Testing

@testable import Markdown

/// What an attacker would write: the work may grow as the text does, and no faster.
@Suite struct HostileTests {
    struct Family: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A text of about so many bytes.
        let text: @Sendable (Int) -> String
        var hasSmartPunctuation = false

        init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
            testDescription = name
            self.text = text
        }

        /// - Parameter part: repeated behind `start`.
        init(_ start: String, repeating part: String) {
            self.init(start + part) { start + String(repeating: part, count: $0 / part.utf8.count) }
        }

        /// - Parameter parts: each repeated, one after the other, with as many bytes.
        init(_ start: String, after parts: String..., hasSmartPunctuation: Bool = false) {
            self.init(([start] + parts).joined(separator: " … ")) { size in
                start
                    + parts.map {
                        String(repeating: $0, count: size / parts.count / $0.utf8.count)
                    }.joined()
            }
            self.hasSmartPunctuation = hasSmartPunctuation
        }
    }

    static let families = [
        Family("nested brackets") {
            String(repeating: "[", count: $0 / 2) + String(repeating: "]", count: $0 / 2)
        },
        Family("~", repeating: "![[]()"), Family("", repeating: "![[]()\n\n"),
        Family("", repeating: "{/* "), Family("", repeating: "%%a "), Family("", repeating: "{.a "),
        Family("", repeating: "a:material-"), Family("", repeating: "{{< note >}}\n"),
        Family("", after: "<Note>\n", "</Note>\n"), Family("", after: ":::note\n", ":::{tab} a\n"),
        Family("", after: "<Tabs>\n", "<Tab a>\n", "</Tab>\n"),
        Family("", after: "::: code-group\n", "```\na\n```\n"),
        Family("", repeating: "<p markdown>\n<b>\n"),
        Family("~", repeating: "^["), Family("~", repeating: "a^[b c] "),
        Family("", after: "/// note\n", "///\n"), Family("", repeating: "/// tab | a\n///\n\n"),
        Family("/// note\n", repeating: "    a: b\n"),
        Family("", repeating: "<p>\n{% hint %}\n"), Family("~", repeating: "<Aa>b</Aa> "),
        Family("~", repeating: "<a b={'c' "), Family("", repeating: "```mdx-code-block\n"),
        Family("<p>", repeating: "**a "), Family("<p>", repeating: "[](a"),
        Family("<p>", repeating: "](a"), Family("# ", repeating: ":tada: "),
        Family("", after: ":tada: ", "\n# a\n"), Family("```\n", repeating: "# [!code ++]\n"),
        Family("~", repeating: "*a_ "), Family("~", repeating: "*a **b "),
        Family("", repeating: "*a_ ~b~~ "), Family("~", repeating: "a**b c* "),
        Family("backticks") { size in
            let runs = 1...Int((2 * Double(size)).squareRoot())
            return "~" + runs.map { "e" + String(repeating: "`", count: $0) }.joined()
        },
        Family("~", repeating: "[](a b"), Family("", repeating: "](a"),
        Family("~", repeating: "[a](b c)"), Family("~", repeating: " %%a"),
        Family("", repeating: "%%\n"), Family("~", repeating: "{{a.b "),
        Family("~", repeating: "{#a"), Family("~", repeating: "<p a"),
        Family("~", repeating: "<p a>"), Family("", repeating: "<Aa b=c></Aa>"),
        Family("~", repeating: "[a](<b"), Family("~", repeating: "[a](b \""),
        Family("~", repeating: "<a x=\""), Family("~", repeating: "<!--a"),
        Family("~", repeating: "<?a"), Family("~", repeating: "]"), Family("~", repeating: "[]"),
        Family("", repeating: "~"), Family("~", repeating: "&amp;"), Family("~", repeating: "\\"),
        Family("http://a_b@", repeating: "http://a_"), Family("", repeating: "www._"),
        Family("", repeating: "a@"), Family("", repeating: "a@b.c "),
        Family("|a|b|\n|-|-|\n", repeating: "|x|y|\n"), Family("", repeating: "|a|\n|-|\n\n"),
        Family("columns") { size in
            String(repeating: "|a", count: size / 4) + "|\n"
                + String(repeating: "|-", count: size / 4) + "|\n"
        },
        Family("sparse table") { size in
            String(repeating: "|a", count: 300) + "|\n" + String(repeating: "|-", count: 300)
                + "|\n" + String(repeating: "a\n", count: size / 2)
        },
        Family("", repeating: "> "), Family("", repeating: "- "),
        Family("- - - - - - - - - - a\n", repeating: "\n"),
        Family("[^1]: x\n\n", repeating: "[^1] "), Family("", repeating: "[^1]: "),
        Family("many footnotes") { size in
            (0..<size / 22).map { "[^\($0)]: [^\($0 + 1)]\n\n" }.joined()
        },
        Family("many definitions") { size in
            (0..<size / 20).map { "[a\($0)]: /u\n\n[a\($0)] ~\n\n" }.joined()
        },
        Family("definitions above a text") { size in
            (0..<size / 12).map { "[a\($0)]: /u\n" }.joined() + "x ~y~\n"
        },
        Family("definitions above a heading") { size in
            (0..<size / 12).map { "[a\($0)]: /u\n" }.joined() + "x ~y~\n===\n"
        },
        Family("a long definition") { size in
            "[a]: /" + String(repeating: "u", count: size / 2) + "\n\n"
                + String(repeating: "[a]", count: size / 6)
        },
        Family("", repeating: "> [!NOTE]\n> x\n\n"), Family("", repeating: "# a\n"),
        Family("", repeating: "r[a]\n"), Family("", repeating: "{{#a {: "),
        Family("", repeating: "![["), Family("", repeating: "<a href='"),
        Family("<div>\n", repeating: "<a href=b\n"), Family("<div>", repeating: "<title "),
        Family("a comment's starts") { size in
            "x ~ " + String(repeating: "<!--a", count: size / 5) + " -->"
        },
        Family("", repeating: "{.ab"), Family("", repeating: "{: ab"),
        Family("", after: "## a\n", "# a\n"), Family("# a\n", after: "## a\n", "[[TOC]]\n\n"),
        Family("~~x ", after: "*a ", "b~ "), Family("~x ", after: "**a ", "b~~ "),
        Family("~ ", after: "[*a *a](b) ", "b* "),
        Family("", after: "\"a ", "*b ", "c\" ", hasSmartPunctuation: true),
        Family("~ ", after: "\"a ", "*b ", "c\" ", hasSmartPunctuation: true),
        Family("", after: "![\\]", "[]()"), Family("", repeating: "![[a](])"),
        Family("", repeating: ": a\n"), Family("![a](b", repeating: " =1x1"),
        Family("![a](b =", repeating: "1"), Family("![a](", repeating: "b =1x1)"),
        Family("```\n", repeating: "{{#include a}}\n"), Family("```\n", repeating: "--8<-- "),
        Family("", repeating: "> [!note] a\n> b\n\n"), Family("> [!note] ", repeating: "[!"),
        Family("", repeating: "# a {#a}\n"), Family("", repeating: "[a](xref:b) "),
        Family("", repeating: "> > [!NOTE] a\n"), Family("", repeating: "[TOC]\n\n"),
        Family("", repeating: "**a:**b "), Family("", repeating: "a ** b "),
        Family("", repeating: "[a](b c) "), Family("", repeating: "[@a "),
        Family("", repeating: "[!a "),
        Family("", repeating: "@A {\n"), Family("", repeating: "x <A b=\n"),
        Family("", repeating: "<A {\n"), Family("", repeating: "<A b='\n"),
        Family("", repeating: "<A\n"),
        Family("", repeating: "{/*\n"), Family("", after: "{/*\n", "*/} x\n"),
        Family("", repeating: "{% comment %}\n"), Family("", repeating: "%%\n\n"),
        Family("<Tabs>\n", repeating: "<TabItem value=\"a\">b</TabItem>\n"),
        Family("", repeating: "<Card title={{\n"), Family("~", repeating: "<Foo a=b>c "),
        Family("", repeating: ":::note\n"), Family("", repeating: "<iframe src=a.b></iframe>\n"),
        Family("", repeating: "{{< youtube a >}}\n"), Family("", repeating: ":tada:"),
        Family("", repeating: "!!! note\n"), Family("", repeating: "> !!! note\n>     a\n"),
        Family("", repeating: "{% tabs %}\n{% tab title=\"a\" %}\n"),
        Family("", repeating: "a\n: b\n"), Family("", repeating: "==a "),
        Family("", repeating: "++a"), Family("", repeating: "== "), Family("", repeating: "![a|"),
        Family("", repeating: "![a](b){"), Family("", repeating: "*[a]: b\n\na "),
        Family("", repeating: "=== \"a\"\n    b\n\n"), Family("", repeating: ":::\n"),
        Family("", repeating: "![a](b.mp4) "), Family("", repeating: "::: query-table a\n"),
        Family("", repeating: "<Card title=\"a\">\n</Card>\n"),
        Family("numbered headings") { size in
            (0..<size / 16).map { "# a-\($0)\n" }.joined()
                + String(repeating: "# a\n", count: size / 8)
        },
        Family("<div>\n", repeating: "<a href=b>\n"), Family("<div>\n", repeating: "<a id=b>\n"),
        Family("", repeating: "<div>\n\n"), Family("~", repeating: "<b>"),
        Family("~", repeating: "<x y>"), Family("~", repeating: "<b>*a "),
        Family("~", repeating: "a<form><br>"), Family("<div>", repeating: "<!-- <"),
        Family("<table>", repeating: "<tr><td>a<table>"),
        Family("<table>\n\n", repeating: "a\n\n<tr>"),
        Family("", repeating: "- <ul><li>\n"), Family("<div>", repeating: "<script></script"),
        Family("<svg>", repeating: "<svg></svg>"), Family("~", repeating: "<a href=x>*[b](c)*"),
        Family("ids") { size in (0..<size / 14).map { "<a id=\($0)></a> " }.joined() },
        Family("unknown elements") { size in (0..<size / 9).map { "<u\($0)> " }.joined() },
        Family("classes") { "<div class=\"" + String(repeating: "a ", count: $0 / 2) + "\">" },
        Family("attributes") { size in
            "<div " + (0..<size / 8).map { "a\($0)=b " }.joined() + ">"
        },
        Family("candidates") {
            "<img srcset=\"" + String(repeating: "a 1x, ", count: $0 / 6) + "\">"
        },
        Family("<div title='", repeating: "&amp;"),
    ]

    /// HTML is looked at in two ways.
    static let cases =
        families.map { ($0, MarkdownOptions.RawHTML.trusted) }
        + families.filter { $0.text(60).contains("<") }.map { ($0, .safe) }

    private static func seconds(
        _ bytes: [UInt8],
        _ family: Family,
        _ rawHTML: MarkdownOptions.RawHTML
    ) -> Double {
        var options = MarkdownOptions()
        options.rawHTML = rawHTML
        options.borrowedBlocks = true
        options.smartPunctuation = family.hasSmartPunctuation
        var start = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        _ = try? RenderedDocument(bytes, options)
        var end = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    /// The quickest of several runs that take ten milliseconds together, so that no time is too
    /// short to be measured.
    private static func quickest(
        _ size: Int,
        _ family: Family,
        _ rawHTML: MarkdownOptions.RawHTML
    ) -> Double {
        let bytes = Array(family.text(size).utf8)
        var best = Double.infinity
        var spent = 0.0
        while spent < 0.01 {
            let seconds = seconds(bytes, family, rawHTML)
            best = min(best, seconds)
            spent += seconds
        }
        return best
    }

    /// Sixteen times the text is sixteen times the work, or 256 times where it is quadratic.
    ///
    /// The time of this thread is counted, so that other work on the machine does not matter much.
    @Test(arguments: cases)
    func `sixteen times the text is no more than about sixteen times the work`(
        family: Family,
        rawHTML: MarkdownOptions.RawHTML
    ) {
        var growth = Double.infinity
        for _ in 0..<3 where growth > 30 {
            growth =
                Self.quickest(24_000, family, rawHTML) / Self.quickest(1_500, family, rawHTML)
        }
        #expect(growth <= 30)
    }
}
