import Fixtures
import Testing

@testable import Rendering
@testable import Site
@testable import SourceFolder

@Suite struct TemplateSetTests {
    private static func page(
        _ templates: [String: String],
        _ values: TemplateValues
    ) throws -> (bytes: [UInt8], text: Range<Int>?) {
        let folder = try TemporaryFolder()
        for (name, text) in templates { try folder.write(text, "\(name).html") }
        var set = TemplateSet(TemplateSources(SourceTree(listing: folder.path, displayFolder: "t")))
        try #require(set.diagnostics.isEmpty)
        var siteValues = TemplateValues()
        siteValues[.site] = values[.site]
        siteValues[.hasSearch] = values[.hasSearch]
        set.link(siteValues)
        return set.page("form", values)
    }

    private static var values: TemplateValues {
        var values = TemplateValues()
        values[.title] = "<title>"
        values[.url] = "/form/"
        values[.content] = .content { $0 += "a <b> & c".utf8 }
        values[.site] = ["title": "S&"]
        values[.hasSearch] = true
        values[.params] = [
            "title": "inner", "b": ["c": "deep", "site": ["title": "B"]], "template": "other",
        ]
        values[.previous] = false
        values[.next] = ["url": "/a?b&c"]
        return values
    }

    @Test(arguments: [
        ("{{title}}{{{title}}}", "&lt;title&gt;<title>"),
        ("{{#params}}{{title}}{{/params}}{{params.title}}", "innerinner"),
        ("{{#params}}{{#b}}{{c}}{{title}}{{url}}{{.url}}{{/b}}{{/params}}", "deepinner/form/"),
        ("{{#next}}{{url}}{{.title}}{{/next}}{{^next}}-{{/next}}{{url}}", "/a?b&amp;c/form/"),
        ("{{#previous}}+{{/previous}}{{^previous}}none{{/previous}}{{previous.url}}", "none"),
        ("{{feed}}{{#feed}}+{{/feed}}{{^feed}}none{{/feed}}{{unknown}}", "none"),
        ("{{>*params.template}}{{=<% %>=}}<%title%>", "found&lt;title&gt;"),
        // What all pages have, unless a section has something of that name.
        ("{{site.title}}{{{site.title}}}{{#site}}{{title}}{{/site}}", "S&amp;S&S&amp;"),
        ("{{^site}}-{{/site}}{{#site.x}}-{{/site.x}}{{^site.x}}+{{/site.x}}{{site.x}}", "+"),
        ("{{#hasSearch}}+{{hasSearch}}{{/hasSearch}}{{^hasSearch}}-{{/hasSearch}}", "+true"),
        ("{{#params}}{{#b}}{{#hasSearch}}{{site.title}}{{/hasSearch}}{{/b}}{{/params}}", "B"),
        ("{{#params}}{{#b}}{{>part}}{{/b}}{{/params}}{{>part}}", "BS&amp;"),
    ])
    func `a template has the values of its page`(form: String, shown: String) throws {
        let templates = ["form": form, "other": "found", "part": "{{$a}}{{site.title}}{{/a}}"]
        let page = try Self.page(templates, Self.values)
        #expect(String(decoding: page.bytes, as: UTF8.self) == shown)
        #expect(page.text == nil)
    }

    @Test(arguments: [
        ("{{title}} {{{content}}}", true), ("{{{content}}}{{{content}}}", false),
        ("{{content}}", false), ("{{content}}{{{content}}}", true), ("{{title}}", false),
        ("é{{#content}}{{{.}}}{{/content}}", true), ("{{#params}}{{{content}}}{{/params}}", true),
    ])
    func `the content is found if it occurs once and unescaped`(form: String, once: Bool) throws {
        let page = try Self.page(["form": form], Self.values)
        #expect((page.text != nil) == once)
        if let range = page.text { #expect(page.bytes[range].elementsEqual("a <b> & c".utf8)) }
    }

    @Test func `a page of endless templates says so`() throws {
        var values = TemplateValues()
        values[.title] = "form"
        let page = try Self.page(["form": "a{{>*title}}"], values)
        #expect(String(decoding: page.bytes, as: UTF8.self) == TemplateSet.endless)
    }
}
