import Testing

@testable import Markdown

@Suite struct ForeignConstructTests {
    private static func uses(_ markdown: String) throws -> [ForeignUse] {
        try RenderedDocument(Array(markdown.utf8), .init()).foreignUses
    }

    @Test(
        arguments: [
            ("{{#include a.rs}}", .bookDirective), ("r[a.b]\nText", .ruleMarker),
            ("{{< figure src=\"a\" >}}", .shortcode), ("{{<figure src=\"a\">}}", .shortcode),
            ("{{% note %}}", .shortcode), ("{% raw %}", .templateTag),
            ("[a](b){: .c }", .attributeList), ("[a](b){ .c }", .attributeList),
            ("!!! note \"A\"\n    b", .admonition), ("??? tip\n    b", .admonition),
            ("=== \"A\"\n\n    b", .contentTab), ("--8<-- \"a.md\"", .snippet),
            ("::: a.b", .objectDirective), (":::note\na\n:::", .container),
            ("::: tip Title\na\n:::", .container), ("import A from '../a.js'", .module),
            ("<Tabs group=\"a\">\n</Tabs>", .component), ("a <Card /> b", .component),
            ("![[a.png]]", .embed), ("```{note}\na\n```", .directive), ("(a-b)=\n# A", .label),
            ("> [!EXAMPLE]\n> a", .alert),
            ("[!INCLUDE [a](b.md)]", .learnDirective), ("> [!VIDEO https://a.de]", .learnDirective),
        ] as [(String, ForeignConstruct)]
    )
    func `is noticed, and not in code`(markdown: String, construct: ForeignConstruct) throws {
        #expect(try Self.uses(markdown).map(\.construct) == [construct])
        #expect(try Self.uses("````\n\(markdown)\n````\n").isEmpty)
        if !markdown.contains("\n") {
            #expect(try Self.uses("`` x \(markdown) ``\n").isEmpty)
            #expect(try Self.uses("    \(markdown)\n").isEmpty)
        }
    }

    @Test(arguments: [
        "a {b} { c } {d}", "Wow!!! note", "import and export of goods", "import taxes rise;x",
        "What??? no", "error[E0001]", "![a](b)", "![[a]](b)", "<BR> <String>", "{{ x }}",
        "::: mermaid\nA\n:::", "> [!NOTE]\n> a", "(a)= b", "# A {#b}", "## C {: #d .e }",
        "```{}\n```", "a :::b",
    ])
    func `what people write is left alone`(markdown: String) throws {
        #expect(try Self.uses(markdown).isEmpty)
    }

    @Test func `each kind is told once, with its first place`() throws {
        let uses = try Self.uses("a\n\n- b {{% c %}}\n\n| d |\n|-|\n| {{% e %}} |\n\n{{% f %}}\n")
        #expect(uses == [ForeignUse(construct: .shortcode, line: 3, column: 5, count: 3)])
    }
}
