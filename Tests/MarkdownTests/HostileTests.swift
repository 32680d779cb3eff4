import Foundation
import Testing

@testable import Markdown

/// What an attacker would write: the work may grow as the text does, and no faster.
@Suite struct HostileTests {
    struct Family: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A text of about so many bytes.
        let text: @Sendable (Int) -> String

        init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
            testDescription = name
            self.text = text
        }

        /// - Parameter part: repeated behind `start`.
        init(_ start: String, repeating part: String) {
            self.init(start + part) { start + String(repeating: part, count: $0 / part.utf8.count) }
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
    ]

    private static func seconds(_ text: String) -> Double {
        var options = MarkdownOptions()
        options.rawHTML = true
        options.rawHTMLReferences = true
        let bytes = Array(text.utf8)
        var start = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        _ = try? RenderedDocument(bytes, options)
        var end = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    /// Sixteen times the text is sixteen times the work, or 256 times where it is quadratic.
    ///
    /// The time of this thread is counted, so that other work on the machine does not matter much.
    @Test(arguments: families)
    func `sixteen times the text is no more than about sixteen times the work`(family: Family) {
        var growth = Double.infinity
        for _ in 0..<3 where growth > 64 {
            let small = max(Self.seconds(family.text(10_000)), 0.0005)
            growth = Self.seconds(family.text(160_000)) / small
        }
        #expect(growth <= 64)
    }
}
