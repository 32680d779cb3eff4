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
        Family("~", repeating: "*a_ "), Family("~", repeating: "*a **b "),
        Family("", repeating: "*a_ ~b~~ "), Family("~", repeating: "a**b c* "),
        Family("backticks") { size in
            let runs = 1...Int((2 * Double(size)).squareRoot())
            return "~" + runs.map { "e" + String(repeating: "`", count: $0) }.joined()
        },
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
        Family("numbered headings") { size in
            (0..<size / 16).map { "# a-\($0)\n" }.joined()
                + String(repeating: "# a\n", count: size / 8)
        },
    ]

    private static func seconds(_ bytes: [UInt8], _ family: Family) -> Double {
        var options = MarkdownOptions()
        options.rawHTML = true
        options.rawHTMLReferences = true
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
    private static func quickest(_ size: Int, _ family: Family) -> Double {
        let bytes = Array(family.text(size).utf8)
        var best = Double.infinity
        var spent = 0.0
        while spent < 0.01 {
            let seconds = seconds(bytes, family)
            best = min(best, seconds)
            spent += seconds
        }
        return best
    }

    /// Sixteen times the text is sixteen times the work, or 256 times where it is quadratic.
    ///
    /// The time of this thread is counted, so that other work on the machine does not matter much.
    @Test(arguments: families)
    func `sixteen times the text is no more than about sixteen times the work`(family: Family) {
        var growth = Double.infinity
        for _ in 0..<3 where growth > 40 {
            growth = Self.quickest(160_000, family) / Self.quickest(10_000, family)
        }
        #expect(growth <= 40)
    }
}
