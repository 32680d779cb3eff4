import Fixtures
import Foundation
import Markdown
import MarkdownWriting
import Testing

@testable import Import

/// Texts of another system, as readers see them.
@Suite struct MarkdownTextTests {
    static var options: MarkdownOptions {
        var options = MarkdownOptions()
        options.wikiLinks = true
        options.formulas = true
        options.diagrams = true
        options.borrowedBlocks = true
        options.themed = true
        return options
    }

    static func shown(_ markdown: String) throws -> Markup {
        MarkupReader.tree(
            try MarkdownFragment.html(Array(markdown.utf8), options),
            isXML: false
        )
    }

    @Test(arguments: [
        "# no heading", "- no item", "+ no item", "1. no item", "12) no item", "> no quote",
        "--- access: public", "=== \"Tab\"", "!!! note", "??? note", ": no term", "| a | b |",
        "::: note", "[x]: /address", "[^1]: no note", "*[HR]: no short form",
        "![[embed]] and [[wiki]]", "{{#include /etc/passwd}}", "--8<-- \"secret.md\"",
        "[!INCLUDE [a](b)]", "[TOC]", "[[_TOC_]]", "{% include a %}", "{{ site.title }}",
        "<script>alert(1)</script>", "<!-- no comment -->", "&lt; &#60; &copy", "$x^2$ $$y$$",
        "**a** __b__ ~~c~~ ==d== ++e++ `f`", "snake_case_name _x_", "import x from 'y'",
        "export default x", ":smile: a:b 12:30:45", "text {#id}", "%%no comment%%", "C:\\path\\",
        "access: [hr]", "acess: public", "a\u{1}b\u{7F}c", "\\`a\\`", "~~~", "```", "@Name {",
    ])
    func `a text means only itself`(text: String) throws {
        let markdown = MarkdownText.paragraph(MarkdownText.escaped(text))
        let html = try Self.shown(markdown)
        let expected = text.map { $0.isASCII && $0 < " " || $0 == "\u{7F}" ? " " : String($0) }
        #expect(html.words == expected.joined().words, "\(markdown)")
        #expect(html.children.filter { !$0.words.isEmpty }.map(\.name) == ["p"], "\(markdown)")
        #expect(html.first { !["p", "code", ""].contains($0.name) } == nil, "\(markdown)")
    }

    @Test func `random texts mean only themselves`() throws {
        var chance = Chance(state: 29)
        let pieces = [
            "a", "word", " ", " ", "*", "**", "_", "__", "`", "``", "[", "]", "(", ")", "<", ">",
            "<b>", "</b>", "<br>", "<!--", "-->", "{", "}", "{{", "%", "{%", "$", "~", "~~", "=",
            "==", "+", "++", "-", "---", "#", "!", "![", "|", ":", "::", ":::", "&", "&lt;",
            "&#60;",
            "\\", "1.", "access", "import ", ":smile:",
            "{{#include a}}", "--8<--", "[[_TOC_]]", "![[", "^a", "%%", "@Name", "{.a}", "é", "日本",
            "e\u{301}", "\"", "'", "^", "?", "@",
        ]
        for _ in 0..<4_000 {
            let count = Int.random(in: 1...8, using: &chance)
            let text = (0..<count).map { _ in pieces.randomElement(using: &chance) ?? "" }.joined()
            let markdown = MarkdownText.paragraph(MarkdownText.escaped(text.words))
            let html = try Self.shown(markdown)
            #expect(html.words == text.words, "\(text.debugDescription) as \(markdown)")
            let tags = html.first { !["p", "code", ""].contains($0.name) }
            #expect(tags == nil, "\(text.debugDescription) as \(markdown)")
        }
    }

    @Test(arguments: [
        "a", "`", "``` ```", "a\n\nb", "{{#include /etc/passwd}}\n--8<-- \"x\"", "</code></pre><b>",
        "> [!NOTE]\n> x", "{{\naccess: [hr]\n acess = hr", "\tx\n    y", "{% raw %}", "````\n```",
    ])
    func `code means only itself`(text: String) throws {
        for indentation in ["", "> "] {
            let block = MarkdownText.codeBlock(text, language: "py\n# x", title: "a \"b\" {.c}")
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            let html = try Self.shown(lines.map { indentation + $0 }.joined(separator: "\n"))
            let pre = try #require(html.first { $0.name == "pre" })
            #expect(pre.text.trimmedSpaces == text.trimmedSpaces)
            #expect(html.first { $0.name == "b" } == nil)
        }
        let inline = try Self.shown("x \(MarkdownText.code(text)) y")
        #expect(inline.words == "x \(text.words) y")
        // What builds understand as an include is on no line.
        for line in MarkdownText.codeBlock(text).split(separator: "\n") {
            #expect(!line.contains("{{") && !line.contains("-8<-"))
        }
    }

    @Test(arguments: [
        ("access: public", "`access`: public"), ("Access = hr", "`Access` = hr"),
        ("the Access [hr]", "the `Access` \\[hr\\]"), ("acces: hr", "`acces`: hr"),
        ("access", "`access`"), ("we have access", "we have access"),
        ("accessible: yes", "accessible: yes"), ("Address: Bern", "Address: Bern"),
    ])
    func `a text that reads like a rule of access is none`(text: String, markdown: String) {
        #expect(MarkdownText.escaped(text) == markdown)
        // In code that could be an include, a reference hides the word.
        let lines = MarkdownText.codeBlock("{{a}}\n\(text)\nb").split(separator: "\n")
        let isHidden = lines[1].contains("&#97;") || lines[1].contains("&#65;")
        #expect(isHidden == markdown.contains("`"))
    }

    @Test(arguments: [
        ("plain", "\"plain\""), ("a: [b]\n---\nc", "\"a: [b] --- c\""),
        ("a\"b\\c", "\"a\\\"b\\\\c\""),
        ("\u{2028}x\u{85}", "\" x \""),
    ])
    func `a value is one line in quotes`(text: String, quoted: String) {
        #expect(MarkdownText.quoted(text) == quoted)
    }
}
