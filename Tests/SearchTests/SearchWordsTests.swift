import Foundation
import Testing

@testable import Search

/// The examples are shared with `search-words.js`, which Tests/EndToEnd/site/test_search.py reads.
@Suite struct SearchWordsTests {
    struct Words: WordSink {
        var words: [String] = []

        mutating func take(_ text: Span<UInt8>, _ word: Range<Int>) {
            words.append(String(decoding: word.map { text[$0] }, as: UTF8.self))
        }
    }

    static func words(_ text: String) -> [String] {
        var scanner = WordScanner(Words())
        scanner.scan(text)
        return scanner.sink.words
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static let examples: [(text: String, words: String)] = {
        let path = folder.appending(path: "search-words.tsv")
        let lines = (try? String(contentsOf: path, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }()

    @Test func `texts have the words that browsers find in them`() {
        #expect(Self.examples.count > 15)
        for (text, words) in Self.examples {
            #expect(Self.words(text).joined(separator: " ") == words)
        }
    }

    @Test(arguments: [
        ("signs", LetterRanges.signs), ("syllables", .syllables), ("dropped", .dropped),
        ("joints", .joints),
    ])
    func `browsers have the same ranges`(name: String, ranges: LetterRanges) throws {
        let path = "../../templates/theme/search.js/search-words.js"
        let script = try String(contentsOf: Self.folder.appending(path: path), encoding: .utf8)
        let start = try #require(script.firstRange(of: "const \(name) = ")).upperBound
        let text = script[start...].prefix { $0 != ";" }
        let scalar = /\\\\(?:x|u)\{?([0-9a-f]+)\}?(-?)/
        var bounds: [UInt32] = []
        for match in text.matches(of: scalar) {
            let value = try #require(UInt32(match.1, radix: 16))
            // A character by itself is a range, too.
            let isInRange = match.2 == "-" || bounds.count % 2 == 1
            bounds += isInRange ? [value] : [value, value]
        }
        #expect(bounds == ranges.ranges.flatMap { [$0.lowerBound, $0.upperBound] })
    }

    @Test func `no script of the theme looks behind, because old browsers do not load it then`()
        throws
    {
        let theme = Self.folder.appending(path: "../../templates/theme").standardizedFileURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: theme.path)
            .filter { $0.hasSuffix(".js") && $0.contains("/") }
        #expect(paths.count > 10)
        for path in paths {
            let script = try String(contentsOf: theme.appending(path: path), encoding: .utf8)
            #expect(!script.contains("(?<=") && !script.contains("(?<!"), "\(path)")
        }
    }

    @Test func `signs that are indexed as they are stand for no others`() {
        let values = Array(UInt32(0)...0xFFFF) + Array(0x2F7F0...0x2FA2F)
        for scalar in values.compactMap(Unicode.Scalar.init)
        where LetterFolding.shared.kind(of: scalar) == .sign {
            #expect(LetterFolding.fold(scalar) == [scalar])
        }
    }

    @Test func `all marks are known that may become one character with a letter`() {
        for scalar in (UInt32(0)...0xFFFF).compactMap(Unicode.Scalar.init) {
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            guard let last = parts.last, parts.count > 1,
                LetterFolding.shared.kind(of: last) == .mark,
                String(String.UnicodeScalarView(parts)).precomposedStringWithCanonicalMapping
                    .unicodeScalars.elementsEqual([scalar])
            else { continue }
            #expect(LetterRanges.composing.contains(last.value), "\(scalar)")
        }
    }

    @Test(arguments: ["\u{E01}", "\u{915}", "a"])
    func `many marks on a letter cost no more than they are long`(letter: String) {
        let marks = String(repeating: "\u{E4D}\u{93F}\u{301}", count: 50000)
        let time = ContinuousClock().measure { #expect(Self.words(letter + marks).isEmpty) }
        #expect(time < .seconds(10))
    }

    @Test func `a run that is too long is not a word`() {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        #expect(Self.words("a \(digest) b") == ["a", "b"])
        #expect(Self.words(String(repeating: "ab", count: 24)).count == 1)
    }

    private func words(ofHTML html: String) -> [String: [Int]] {
        let words = PageTerms(Array(html.utf8))
        var found: [String: [Int]] = [:]
        words.forEach { text, word, weight in
            let word = String(decoding: word.map { text[$0] }, as: UTF8.self)
            found[word] = [weight.halves, weight.headings]
        }
        return found
    }

    @Test func `markup ends where browsers say`() {
        let html = """
            <!-- don't --><p title=it's>one</p><!-- a > b --><b>t</b>w<!-- c -->o<?x 'y?>
            <script>if (a</b>c) no("</p>")</script><p>three < four</p><p title="open
            """
        #expect(words(ofHTML: html).keys.sorted() == ["four", "one", "three", "two"])
    }

    @Test func `tags are no text, and say what the text is`() {
        let html = """
            <h2 id="no-text">Head &amp; tail</h2>
            <p>Tail <a href="/no/" title="a > b">of a<em>n</em> fish</a></p>
            <pre><code class="language-c">tail(of)</code></pre>
            <script>no("<p>")</script><p>end</p>
            """
        #expect(
            words(ofHTML: html) == [
                "head": [0, 2], "tail": [3, 2], "of": [3, 0], "an": [2, 0], "fish": [2, 0],
                "end": [2, 0],
            ]
        )
        let harmless = "one<br />two su<wbr />per <kbd>c</kbd>+<span id=\"~x\"></span>d<td>e</td>f"
        #expect(
            words(ofHTML: harmless).keys.sorted() == ["c", "d", "e", "f", "one", "super", "two"]
        )
        let terms = """
            <ul><li><p><strong><code>key</code> word</strong>: text</p></li>
            <li><code>item</code>: <b>not</b></li><li>Then <strong>no</strong></li></ul>
            <table><tr><td><code>cell</code></td><td><code>other</code></td></tr>
            <tr><td>plain <code>late</code></td></tr></table><dl><dt>def</dt><dd>it</dd></dl>
            """
        let found = words(ofHTML: terms).filter { $0.value[1] > 0 }
        #expect(found.keys.sorted() == ["cell", "def", "item", "key", "word"])
        #expect(found["key"] == [2, 1])
        #expect(words(ofHTML: "").isEmpty)
        #expect(words(ofHTML: "<p").isEmpty)
        #expect(words(ofHTML: "a &lt").keys.sorted() == ["a", "lt"])
    }

    private func parts(_ compound: String, known: [String], in language: String = "de-AT")
        -> [String]
    {
        var table = TermTable()
        for word in known + [compound] { _ = table.add(Array(word.utf8).span) }
        let compounds = CompoundWords(table, language: language)
        let letters = Array(compound.utf8)
        return compounds.parts(of: table.count - 1).map {
            String(decoding: letters[$0], as: UTF8.self)
        }
    }

    @Test func `compounds are found by their parts`() {
        #expect(parts("reisekosten", known: ["reise", "kosten"]) == ["reise", "kosten"])
        #expect(parts("reisekosten", known: ["kosten"]) == ["kosten"])
        #expect(parts("urlaubsantrag", known: ["urlaub", "antrag"]) == ["urlaub", "antrag"])
        #expect(parts("urlaubsantrag", known: ["antrag"]) == ["urlaubs", "antrag"])
        #expect(parts("urlaubsantrag", known: ["urlaub"]).contains("antrag"))
        let long = parts("reisekostenabrechnung", known: ["reise", "kosten", "abrechnung"])
        #expect(long == ["reisekosten", "abrechnung", "reise", "kosten"])
        #expect(parts("management", known: ["manage"]).isEmpty)
        #expect(parts("kosten", known: ["kost"]).isEmpty)
        #expect(parts("abcdefgh", known: []).isEmpty)
        #expect(parts("transparent", known: ["parent"], in: "en").isEmpty)
        #expect(parts("timesheet", known: ["time", "sheet"], in: "en") == ["time", "sheet"])
    }
}
