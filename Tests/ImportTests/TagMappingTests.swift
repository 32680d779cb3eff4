import Diagnostics
import Fixtures
import Foundation
import Testing

@testable import Import

/// Tags of other tools in pages of Markdown.
@Suite struct TagMappingTests {
    static let mapping = #"""
        "shortcode alert" = "> [!WARNING] {title}"
        "shortcode youtube" = "[Video](https://youtu.be/{1})"
        "shortcode panel" = "**{header}**\n\n{body}\n\n{footer}"
        "shortcode person" = "{1}{name}"
        "tag link" = "{1}"
        "tag note" = "> [!NOTE]"
        "component Aside" = "> [!{type}]"
        "component Icon" = ""
        """#

    @Test(arguments: [
        (
            "{{< alert title=\"Mind\" >}}\nThe *gap*.\n\nTwice.\n{{< /alert >}}",
            "> [!WARNING] Mind\n> The *gap*.\n> \n> Twice."
        ),
        ("{{% alert %}}a{{% /alert %}}", "> [!WARNING] \n> a"),
        ("x {{< youtube \"abc\" >}} y", "x [Video](https://youtu.be/abc) y"),
        ("{{< panel header=\"H\" >}}a{{< person \"Ada\" />}}b{{< /panel >}}", "**H**\n\naAdab\n\n"),
        ("{{< person name=\"Bob\" >}}.", "Bob."),
        ("[a]({% link posts/a.md %})", "[a](posts/a.md)"),
        ("{% note %}a{% endnote %}", "> [!NOTE]\n> a"),
        ("{%- note -%}a{%- endnote -%}", "> [!NOTE]\n> a"),
        ("<Aside type=\"tip\">\n\na\n\n</Aside>", "> [!tip]\n> a"),
        ("a<Icon name={x} />b <Icon\n  name=\"y\"\n/>c", "ab c"),
        ("{{< other \"a\" >}}", "{{< other \"a\" >}}<!-- import: shortcode other -->"),
        ("<Vec<String>> and <b>a</b>", "<Vec<String>> and <b>a</b>"),
        (
            "<Card title=\"a\">text</Card>",
            "<Card title=\"a\"><!-- import: component Card -->text</Card>"
        ),
        ("`{{< alert >}}` ``{% link ` %}``", "`{{< alert >}}` ``{% link ` %}``"),
        ("```\n{{< alert >}}\n```\n{{< person 1 >}}", "```\n{{< alert >}}\n```\n1"),
        ("{{< /alert >}} {{< alert", "{{< /alert >}} {{< alert"),
        ("{{< alert >}}a {{< person 1 >}}", "> [!WARNING] a 1"),
        ("---\na: {% x %}\n---\n{% x %}", "---\na: {% x %}\n---\n{% x %}<!-- import: tag x -->"),
        ("+++\r\na = '{% x %}'\r\n+++\r\n", "+++\r\na = '{% x %}'\r\n+++\r\n"),
        ("{{ site.title }} {x} <!-- c -->", "{{ site.title }} {x} <!-- c -->"),
    ])
    func `a tag becomes what the mapping says, and any other one stays`(page: String, text: String)
        throws
    {
        let mapping = try TagMapping(Array(Self.mapping.utf8), path: "import.toml")
        #expect(mapping.rewritten(page) { _ in } == text)
    }

    @Test(arguments: [
        ("\"macro x\" = \"\"", "must begin with 'shortcode', 'tag' or 'component'"),
        ("\"tag x\" = 1", "it must be a string"), ("\"tag x\" = ", "import.toml:"),
    ])
    func `a mapping that cannot be read is refused`(text: String, message: String) {
        let error = #expect(throws: CommandError.self) {
            _ = try TagMapping(Array(text.utf8), path: "import.toml")
        }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `pages keep their places, and their front matter decides who may read`() throws {
        let source = try TemporaryFolder([
            "a/index.md": "---\naccess: [hr]\n---\n{{< person 1 >}} {{< x >}} {{< x >}}",
            "a/b.txt": "{{< person 1 >}}",
            ".git/config": "x", "import.toml": Self.mapping,
        ])
        let site = try TemporaryFolder()
        func run() throws -> String {
            try SiteImport(source.path, into: site.path, mapping: source.path("import.toml")).report
        }
        #expect(try run().contains("  2 shortcode 'x'\n"))
        func text(_ path: String) -> String? {
            try? String(contentsOfFile: site.path(path), encoding: .utf8)
        }
        #expect(text("site/a/index.md")?.hasPrefix("---\naccess: [hr]\n---\n1 {{< x >}}") == true)
        #expect(text("site/a/b.txt") == "{{< person 1 >}}" && text("site/.git/config") == nil)
        try site.write("mine", "site/a/index.md")
        #expect(try run().contains("site/a/index.md"))
        #expect(text("site/a/index.md") == "mine")
        // Both sides changed: the new front matter may have other readers.
        try source.write("---\naccess: [board]\n---\n", "a/index.md")
        #expect(throws: CommandError.self) { _ = try run() }
    }
}
