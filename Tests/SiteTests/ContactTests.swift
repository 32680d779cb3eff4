import Testing

@testable import Site

@Suite struct ContactTests {
    @Test(arguments: [
        ("it@example.com", true), ("https://help.example.com/new", true), ("", false),
        ("javascript:alert(1)", false), ("javascript:alert(1)@x", false), ("a@b@c", false),
        ("a b@example.com", false), ("http://example.com", false), ("it@example.com?cc=x", false),
    ])
    func `readers ask an e-mail address or a page with https`(contact: String, isRight: Bool) {
        let (configuration, diagnostics) = SiteConfiguration.parse(
            Array("contact = \"\(contact)\"\n".utf8),
            path: "sitegen.toml"
        )
        #expect(configuration.contact == (isRight ? contact : nil))
        #expect(diagnostics.isEmpty == isRight)
    }
}
