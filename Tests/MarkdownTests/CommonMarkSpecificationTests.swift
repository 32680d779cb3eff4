import Markdown
import Testing

@Suite struct CommonMarkSpecificationTests {
    static let examples = SpecificationExample.read("commonmark-0.30-examples.txt")

    @Test func `all 652 examples are there`() { #expect(Self.examples.count == 652) }

    @Test(arguments: examples)
    func `every example of CommonMark 0.30`(example: SpecificationExample) throws {
        var options = MarkdownOptions()
        options.commonMarkOnly = true
        options.rawHTML = .verbatim
        let html = try MarkdownFragment.html(
            Array(example.markdown.utf8),
            options,
            dangerousURLs: true
        )
        #expect(String(decoding: html, as: UTF8.self) == example.html)
    }

    /// Addresses that GitHub makes links of, and CommonMark does not.
    static let withAddresses = [601, 605, 607, 610, 611]

    @Test(arguments: examples)
    func `extensions change nothing but bare addresses`(example: SpecificationExample) throws {
        let html = GitHubHTML.normalised(try GitHubHTML.rendered(example.markdown))
        if Self.withAddresses.contains(example.number) {
            #expect(html != example.html)
        } else {
            #expect(html == example.html)
        }
    }
}
