import Foundation
import Testing

@testable import SiteGenerator

/// What is told of mistakes in templates.
@Suite struct TemplateFindingTests {
    private static func findings(_ templates: [String: String], page: String = "# A\n")
        async throws -> [String]
    {
        var files = ["sitegen.toml": "", "site/index.md": page]
        for (name, text) in templates { files["templates/\(name).html"] = text }
        let site = try TemporarySite(files)
        return await site.build().diagnostics.map {
            let place = $0.location.map { "\($0.path):\($0.line):\($0.column): " } ?? ""
            return (place + $0.message).replacing(site.folder.path + "/", with: "")
        }
    }

    @Test(arguments: [
        (
            ["page": "{{>x}}", "x": "é\na {{> x }}"],
            "templates/x.html:2:3: template 'x' includes itself"
        ),
        (
            ["page": "{{>a}}", "a": "{{>b}}", "b": "{{! {{>a}} {{>a}}"],
            "templates/a.html:1:1: template 'a' includes itself through 'b'"
        ),
        (
            ["page": "{{>a}}", "a": "{{>b}}", "b": "{{>c}}", "c": "{{<a}}{{/a}}"],
            "templates/a.html:1:1: template 'a' includes itself through 'b'"
        ),
        (
            ["meta": "{{=<% %>=}}{{>no}}<%>page%>"],
            "templates/meta.html:1:19: template 'meta' includes itself through 'page'"
        ),
    ])
    func `a template that includes itself is reported`(
        templates: [String: String],
        finding: String
    ) async throws {
        #expect(try await Self.findings(templates) == [finding])
    }

    @Test func `templates may include one template twice`() async throws {
        let templates = ["page": "{{>a}}{{>b}}{{>a}}{{>*title}}", "a": "{{>b}}", "b": "b"]
        #expect(try await Self.findings(templates) == [])
    }

    @Test(arguments: [
        ("{{! {{>no}} a\n {{>nix}}", "templates/page.html:2:2: there is no template 'nix'"),
        (
            "{{>meta.html}}",
            "templates/page.html:1:1: there is no template 'meta.html'; write the name without '.html': 'meta'"
        ),
        ("{{{title}}}\n<p>{{title", "templates/page.html:2:4: a tag is not closed with '}}'"),
        (
            "{{#a}}{{/a}}\n{{/title}}",
            "templates/page.html:2:1: '{{/title}}' closes a section that is not open"
        ),
        (
            "{{#a}}{{/b}}",
            "templates/page.html:1:10: this tag closes another section than the open one"
        ),
    ])
    func `a mistake in a template is reported at its place`(text: String, finding: String)
        async throws
    {
        #expect(try await Self.findings(["page": text]) == [finding])
    }

    @Test func `a page names its template without the end of the file's name`() async throws {
        let found = try await Self.findings(["wide": "w"], page: "---\ntemplate: wide.html\n---\n")
        #expect(
            found == [
                "site/index.md:2:11: there is no template 'wide.html'; write the name without '.html': 'wide'"
            ]
        )
    }
}
