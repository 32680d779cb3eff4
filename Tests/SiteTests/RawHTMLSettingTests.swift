import Markdown
import Testing

@testable import Site

@Suite struct RawHTMLSettingTests {
    @Test(arguments: [
        ("", MarkdownOptions.RawHTML.safe), ("raw_html = true", .trusted),
        ("raw_html = false", .omitted), ("raw_html = \"safe\"", .safe),
    ])
    func `raw_html has three values, and 'safe' is the default`(
        toml: String,
        rawHTML: MarkdownOptions.RawHTML
    ) {
        let parsed = SiteConfiguration.parse(Array(toml.utf8), path: "sitegen.toml")
        #expect(parsed.configuration.markdown.rawHTML == rawHTML)
        #expect(parsed.diagnostics.isEmpty)
    }

    @Test(arguments: [
        "raw_html = \"unsafe\"", "raw_html = 1", "raw_html = \"true\"", "raw_html = []",
    ])
    func `any other value is an error that names the three`(toml: String) {
        let parsed = SiteConfiguration.parse(Array(toml.utf8), path: "sitegen.toml")
        let message = "'raw_html' must be true, false or \"safe\""
        #expect(parsed.diagnostics.map(\.message) == [message])
        #expect(parsed.diagnostics.map(\.severity) == [.error])
    }
}
