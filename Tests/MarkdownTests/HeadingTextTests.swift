import Markdown
import Testing

/// The words of a heading, which its page, its title, its id and all lists share.
@Suite struct HeadingTextTests {
    private static func heading(
        _ markdown: String,
        _ rawHTML: MarkdownOptions.RawHTML
    ) throws -> RenderedDocument.Heading? {
        var options = MarkdownOptions()
        options.rawHTML = rawHTML
        options.borrowedBlocks = true
        options.formulas = true
        return try RenderedDocument(Array("## \(markdown)\n\n[^1]: b\n".utf8), options).headings
            .first
    }

    @Test(arguments: [
        ("Install <product> on <host>", "Install <product> on <host>", "install-product-on-host"),
        ("<name>", "<name>", "name"), ("`<name>`", "<name>", "name"),
        ("a <path to file> b", "a <path to file> b", "a-path-to-file-b"),
        ("a &lt;b&gt; &amp; `c & d`", "a <b> & c & d", "a-b--c--d"),
        ("a \\<b\\> *c **d** ~~e~~*", "a <b> c d e", "a-b-c-d-e"),
        ("<Card title=\"a\" /> b", "a b", "a-b"),
        ("![a & <b>](c) d", "a & <b> d", "a--b-d"), ("a[^1] b", "a b", "a-b"),
        ("a[^2]", "a[^2]", "a2"), ("$a<b$ 👋", "$a<b$ 👋", "ab-"),
        ("++ctrl+del++ ==a==", "Ctrl+Del a", "ctrldel-a"), ("a <!-- b --> c", "a  c", "a--c"),
        ("[a <x>](c) <d@e.f>", "a <x> d@e.f", "a-x-def"), ("a</b> c", "a c", "a-c"),
    ])
    func `are the words that readers see`(markdown: String, text: String, id: String) throws {
        for rawHTML in [MarkdownOptions.RawHTML.omitted, .safe] {
            let heading = try #require(try Self.heading(markdown, rawHTML))
            #expect(heading.text == text && heading.id == id)
        }
    }

    @Test func `a tag that goes through unchanged is no text`() throws {
        let heading = try #require(
            try Self.heading("a <product> `<b>`<script>c</script> d", .trusted)
        )
        #expect(heading.text == "a  <b> d" && heading.id == "a--b-d")
        for raw in [MarkdownOptions.RawHTML.omitted, .safe, .trusted] {
            let bold = try #require(try Self.heading("a <b>c</b><br>d", raw))
            #expect(bold.text == "a c d", "\(raw)")
        }
    }
}
