import Testing

@testable import Site
@testable import SiteGenerator

/// The settings of other tools.
extension SourceFilesTests {
    @Test(arguments: [
        ("mkdocs.yml", "exclude_docs: |\n  # old\n  drafts/\n  /a.md\n  !b.md\nnav: []", "b c/a"),
        ("_config.yml", "exclude: [drafts, docs/a.md, ./docs/b.md, Gemfile]\n", "c/a drafts/d"),
        (".eleventyignore", "docs/b.md\nc/\n", "a drafts/d"),
        (".vitepress/config.ts", "{ srcExclude: ['**/a.md', // x\n \"b.md\"] }", "drafts/d"),
        ("docs/_config.yml", "exclude: [a.md, drafts/]\n", "b c/a"),
        ("_config.yml", "exclude: [a.md, c/]\nsource: docs\n", "b drafts/d"),
        ("docs/.eleventyignore", "/b.md\nc/a.md\n", "a drafts/d"),
        (".vitepress/config.ts", "{ srcExclude : ['a.md'] }", "b c/a drafts/d"),
        (".vitepress/config.ts", "export default {}", "a b c/a drafts/d"),
        ("mkdocs.yml", "INHERIT: ./base.yml\n", "b drafts/d"),
        ("mkdocs.yml", "INHERIT: base.yml\nexclude_docs: c/\n", "a b drafts/d"),
    ]) func `files that another tool leaves out are not published`(
        _ name: String,
        _ text: String,
        _ expected: String
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": """
            source = "docs"
            from = "\(name)"
            search = false
            listings = "none"
            """,
            name: text, "base.yml": "exclude_docs: a.md\n", "docs/a.md": "", "docs/b.md": "",
            "docs/c/a.md": "", "docs/drafts/d.md": "",
        ])
        try await site.release()
        let pages = expected.split(separator: " ").map { "\($0)/index.html" }
        #expect(try site.published() == Set(pages))
    }

    @Test(arguments: [
        ("mkdocs.yml", "exclude_docs: '{a,b}.md'", "'{a,b}.md' is a pattern that"),
        ("mkdocs.yml", "exclude_docs: {a: b}", "'exclude_docs' is not a list of texts"),
        ("mkdocs.yml", "nav: [", "did not find expected node content"),
        (
            ".vitepress/config.ts", "{srcExclude: [...all]}",
            "'srcExclude' is not a list of texts in"
        ),
        ("mkdocs.yml", "INHERIT: mkdocs.yml", "'INHERIT' leads back to 'mkdocs.yml'"),
        ("a/_config.yml", "exclude: [b.md]", "'b.md' is seen from a folder that"),
        (".vitepress/config.ts", "{ srcExclude }", "'srcExclude' is not a list of texts in"),
        (".vitepress/config.ts", "{srcExclude: all}", "'srcExclude' is not a list of texts in"),
    ]) func `what is not understood of another tool's settings stops the build`(
        _ name: String,
        _ text: String,
        _ message: String
    ) async throws {
        let toml = "from = [\"\(name)\"]\n"
        let site = try TemporarySite(["sitegen.toml": toml, name: text, "site/a.md": ""])
        let outcome = await site.build()
        #expect(outcome.rules == ["configuration"])
        #expect(outcome.diagnostics.first?.message.hasPrefix(message) == true)
    }
}
