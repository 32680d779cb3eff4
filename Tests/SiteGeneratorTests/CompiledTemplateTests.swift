import Fixtures
import Foundation
import Markdown
import Testing

@testable import SiteGenerator

/// A template that is filled by placeholders shows what Mustache shows.
@Suite struct CompiledTemplateTests {
    static func templates(
        _ sources: [String: String],
        site: TemplateContext = TemplateContext()
    ) throws -> CompiledTemplates {
        let folder = try TemporaryFolder()
        for (name, text) in sources { try folder.write(text, "\(name).html") }
        let set = TemplateSet(TemplateSources(SourceTree(listing: folder.path, displayFolder: "t")))
        try #require(set.diagnostics.isEmpty)
        return CompiledTemplates(set, site: site)
    }

    private static func render(_ templates: CompiledTemplates, _ params: TemplateContext) -> String
    {
        var values = TemplateValues()
        values.params = params
        return String(decoding: templates.page("form", values).bytes, as: UTF8.self)
    }

    private static let sources = [
        "form": """
        {{#params}}{{<frame}}{{$body}}<h1 title="{{title}}">{{title}}</h1>
        {{{html}}}{{#next}}<a href="{{url}}">{{label}}</a>{{/next}}{{^next}}last{{/next}}
        {{#tags}}<b>{{.}}</b>{{/tags}}{{^tags}}none{{/tags}}{{#flag}}yes{{/flag}}
        {{#empty}}Mustache takes nothing for something{{/empty}}{{params.a.b}}
        {{/body}}{{/frame}}{{/params}}
        """,
        "frame": "<html>\n  {{>part}}\n{{$body}}{{/body}}</html>\n",
        "part": "<p>{{title}}</p>\n{{empty}}<p>{{{title}}}</p>\n",
    ]

    private static func context(_ title: String, tags: [String], hasNext: Bool) -> TemplateContext {
        var context = TemplateContext(["title": title, "html": "<i>\(title)</i>", "empty": ""])
        context["tags"] = tags
        context["flag"] = hasNext
        let next = TemplateContext(["url": "/a?b&c='d'", "label": "\"\(title)\""])
        context["next"] = hasNext ? next : false
        context["params"] = TemplateContext(["a": TemplateContext(["b": "deep <\(title)>"])])
        return context
    }

    @Test func `a form shows what Mustache shows`() throws {
        let fast = try Self.templates(Self.sources)
        // A name in a value anywhere, and every page is left to Mustache.
        let slow = try Self.templates(
            Self.sources.merging(["other": "{{>*title}}"]) { first, _ in first }
        )
        for title in ["A", "<&>\"'", "", "{{title}}", "漢字 é", "placeholder <0>", "%5$s\\n"] {
            for (tags, hasNext) in [
                ([], true), (["x"], false), (["x", "<y>"], true), (["", "z"], true),
            ] {
                let context = Self.context(title, tags: tags, hasNext: hasNext)
                #expect(Self.render(fast, context) == Self.render(slow, context))
                // A second page of the same kind has its own values.
                let other = Self.context("second", tags: tags, hasNext: hasNext)
                let second = Self.render(fast, other)
                #expect(second.contains("<h1 title=\"second\">second</h1>"))
            }
        }
    }

    @Test(
        arguments: [
            // Each pair had one key when names stood in it as they are.
            (["a=s;b": "1"], ["a": "1", "b": "2"]), (["a=0;b": "1"], ["a": "", "b": "2"]),
            (["a=+;b": "1"], ["a": true, "b": "2"]), (["a=[]b": "1"], ["a": [String](), "b": "2"]),
            (["1:a": "1"], ["a": "1"]),
        ] as [([String: any Sendable], [String: any Sendable])]
    )
    func `two shapes have two keys, and two pages their own values`(
        _ first: [String: any Sendable],
        _ second: [String: any Sendable]
    ) throws {
        let contexts = [first, second].map { values in
            TemplateContext(["a": TemplateContext(values), "title": "<title>"])
        }
        let keys = contexts.map { ContextSignature($0)?.key }
        #expect(keys[0] != nil && keys[1] != nil && keys[0] != keys[1])
        let form = "{{#params}}{{title}} {{#a}}{{a}}{{b}}{{/a}}{{/params}}"
        let set = try Self.templates(["form": form])
        let slow = try Self.templates(["form": form, "other": "{{>*title}}"])
        for context in contexts + contexts.reversed() {
            #expect(Self.render(set, context) == Self.render(slow, context))
        }
    }

    @Test(arguments: [
        ("{{>*title}}", "found"),
        ("{{=<% %>=}}<% title %>", "abc"),
        ("{{! not (a) function * }}{{title}}", "abc"),
    ]) func `what looks into a value gets the value`(_ template: String, _ expected: String) throws
    {
        let set = try Self.templates(["form": template, "abc": "found"])
        var values = TemplateValues()
        values.set(.title, "abc")
        #expect(String(decoding: set.page("form", values).bytes, as: UTF8.self) == expected)
    }

    @Test func `a quotation mark with an accent after it is escaped`() throws {
        let site = TemplateContext(["name": "\"\u{301} onclick=x"])
        let set = try Self.templates(
            ["form": "<a title=\"{{title}}{{name}}{{params.a}}\">"],
            site: site
        )
        var values = TemplateValues()
        values.set(.title, "\"\u{301} onclick=x")
        values.params = TemplateContext(["a": "\"\u{301} onclick=x"])
        let text = "&quot;\u{301} onclick=x"
        let shown = String(decoding: set.page("form", values).bytes, as: UTF8.self)
        #expect(shown == "<a title=\"\(text)\(text)\(text)\">")
    }

    @Test func `the content of a page is found if it occurs once and unescaped`() throws {
        let document = try RenderedDocument(Array("a <b> & c\n".utf8), MarkdownOptions())
        let content = FilledDocument(document: document, urls: [], code: [], titleLevel: nil)
        var values = TemplateValues()
        values.set(.title, "<title>")
        values.setContent(isEmpty: false)
        for (form, expected) in [
            ("{{title}} {{{content}}}", 1), ("{{{content}}}{{{content}}}", 0), ("{{content}}", 0),
            ("{{content}}{{{content}}}", 1), ("{{title}}", 0),
        ] {
            let page = try Self.templates(["form": form]).page("form", values, content: content)
            #expect((page.content != nil) == (expected == 1))
            if let range = page.content { #expect(Array(page.bytes[range]) == document.html) }
            let slow = try Self.templates(["form": form, "other": "{{>*title}}"])
            #expect(slow.page("form", values, content: content).bytes == page.bytes)
        }
    }
}
