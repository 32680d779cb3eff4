import Testing

@Suite struct GitHubSpecificationTests {
    static let examples = SpecificationExample.read("gfm-0.29-examples.txt")

    /// The text shows these without the extension for addresses; cmark-gfm with all extensions
    /// gives what we do.
    static let withAddresses = [610, 614, 616, 619, 620]

    /// An extension that takes the brackets off some HTML, where HTML goes through at all.
    static let apart = ["tagfilter"]

    @Test func `all 673 examples are there`() { #expect(Self.examples.count == 673) }

    @Test(
        arguments: examples.filter { example in
            !withAddresses.contains(example.number)
                && !example.extensions.contains(where: apart.contains)
        }
    )
    func `every example of GitHub Flavored Markdown 0.29`(example: SpecificationExample) throws {
        let html = GitHubHTML.normalised(try GitHubHTML.rendered(example.markdown))
        #expect(html == GitHubHTML.normalised(example.html))
    }

    @Test(
        arguments: zip(
            withAddresses,
            [
                "<p>&lt;<a href=\"http://foo.bar/baz\">http://foo.bar/baz</a> bim&gt;</p>\n",
                "<p>&lt;<a href=\"mailto:foo+@bar.example.com\">foo+@bar.example.com</a>&gt;</p>\n",
                "<p>&lt; <a href=\"http://foo.bar\">http://foo.bar</a> &gt;</p>\n",
                "<p><a href=\"http://example.com\">http://example.com</a></p>\n",
                "<p><a href=\"mailto:foo@bar.example.com\">foo@bar.example.com</a></p>\n",
            ]
        )
    )
    func `addresses are links in these`(number: Int, html: String) throws {
        #expect(try GitHubHTML.rendered(Self.examples[number - 1].markdown) == html)
    }
}
