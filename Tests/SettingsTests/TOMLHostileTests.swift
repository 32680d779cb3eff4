import Testing

@testable import Settings

/// What an attacker would write: the work grows as the text does, and no faster.
@Suite struct TOMLHostileTests {
    struct Family: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The text of so many parts.
        let text: @Sendable (Int) -> String
    }

    private static func numbered(_ name: String, _ line: @escaping @Sendable (Int) -> String)
        -> Family
    {
        Family(testDescription: name) { count in (0..<count).map(line).joined() }
    }

    private static func repeated(_ start: String, _ part: String, _ end: String = "") -> Family {
        Family(testDescription: start + part + end) { count in
            start + String(repeating: part, count: count) + end
        }
    }

    /// Marks that can follow each other in any order: in Swift all such texts are equal.
    private static func equivalentKey(_ number: Int) -> String {
        var marks: [UInt32] = [0x301, 0x323, 0x327, 0x31B, 0x345, 0x334, 0x322, 0x35C]
        var text = "a"
        var rest = number
        while !marks.isEmpty {
            let mark = marks.remove(at: rest % marks.count)
            rest /= marks.count + 1
            if let scalar = Unicode.Scalar(mark) { text.unicodeScalars.append(scalar) }
        }
        return "\"\(text)\"=\(number)\n"
    }

    static let families = [
        numbered("keys") { "k\($0)=1\n" }, numbered("tables") { "[t\($0)]\n" },
        numbered("tables in one") { "[a.b.c.t\($0)]\n" }, repeated("", "[[x]]\n"),
        repeated("", "[[x]]\n[[x.y]]\n[x.y.z]\n"), numbered("dotted keys") { "a.b.c.k\($0)=1\n" },
        numbered("keys that are equivalent", equivalentKey),
        repeated("a=[", "1,", "]"), repeated("a=[", "[],", "]"), repeated("a=[", "{},", "]"),
        repeated("a=[\n", "# c\n", "]"), repeated("a=\"", "\\n", "\""),
        repeated("a=\"\"\"", "\"\" ", "\"\"\""), repeated("a=\"\"\"", "\\\n", "\"\"\""),
        repeated("a='", "x"), repeated("a=", "1"), repeated("a=0.", "1"), repeated("a=1e", "1"),
        repeated("a=", "1_", "1"), repeated("a=0x", "0", "1"), repeated("", "\r\n"),
        repeated("", "[[["), repeated("", "a."), repeated("[a", ".a"), repeated("", "\u{1F}"),
        repeated("", "a\n"), repeated("", "a=[\n"), repeated("a={", "b.c.d=1,", "}"),
        numbered("an inline table") { $0 == 0 ? "a={k=1" : ",k\($0)=1" },
        numbered("an element of deep tables") {
            "[[x\($0)" + String(repeating: ".a", count: 90) + "]]\n"
        },
    ]

    private static func seconds(_ text: String) -> Double {
        let bytes = Array(text.utf8)
        let time = ContinuousClock().measure { _ = TOMLDocument(bytes) }
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    @Test(arguments: families)
    func `four times the text is not sixteen times the work`(family: Family) {
        // The best of some runs; a machine that does other things as well only ever adds.
        var ratio = Double.infinity
        for _ in 0..<5 where ratio > 8 {
            let small = Self.seconds(family.text(2500))
            let large = Self.seconds(family.text(10_000))
            ratio = min(ratio, large / max(small, 0.002))
        }
        #expect(ratio <= 8)
    }
}
