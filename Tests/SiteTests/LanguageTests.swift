import FoundationEssentials
import Languages
import Markdown
import Testing

@testable import Site

/// What depends on the language that `sitegen.toml` names.
@Suite struct LanguageTests {
    @Test(arguments: [
        ("en", "ltr"), ("he", "rtl"), ("ar-EG", "rtl"), ("FA", "rtl"), ("az-Arab-IR", "rtl"),
        ("ur-Latn", "ltr"), ("de-CH-1996", "ltr"), ("ks-Deva", "ltr"), ("", "ltr"),
    ])
    func `a page is written in the direction of its language`(language: String, direction: String) {
        #expect(TextDirection(ofLanguage: language).rawValue == direction)
    }

    @Test(arguments: [
        ("2026-11-05", "en", "5 November 2026"), ("2026-01-31", "en-GB", "31 January 2026"),
        ("2026-11-05", "de", "5. November 2026"), ("2026-11-05", "ja", "2026年11月5日"),
        ("2026-11-05", "cs", "5. listopadu 2026"), ("2026-11-05", "ca", "5 de novembre del 2026"),
        ("2026-13-05", "en", "2026-13-05"), ("", "en", ""),
        ("2026-11-05", "tlh", "5 November 2026"),
    ])
    func `a day is written as people do`(day: String, language: String, words: String) {
        #expect(InterfaceTexts(ofLanguage: language).date(day) == words)
    }

    @Test(arguments: [
        ("de-AT", "Suchen"), ("DE", "Suchen"), ("zh-TW", "搜尋"), ("zh", "搜索"), ("zh-Hant-HK", "搜尋"),
        ("nn-NO", "Søk"), ("iw", "חיפוש"), ("pt-BR", "Pesquisar"), ("sr-RS", "Pretraga"),
        ("tlh", "Search"),
    ])
    func `a language without a file has that of the next one`(language: String, search: String) {
        #expect(InterfaceTexts(ofLanguage: language)["Search"] == search)
    }

    /// Every text that readers see is in each language: the sources of sitegen's pages, of the
    /// scripts and of siteauth's pages name no others than English has.
    @Test func `no text is missing in any language`() throws {
        let english = LanguageFile(try #require(LanguageFiles.bytes("en")), path: "en.toml")
        #expect(LanguageFiles.tags.count >= 30)
        #expect(try Self.textsInSources().subtracting(english.texts.keys).sorted() == [])
        for tag in LanguageFiles.tags {
            let file = LanguageFile(try #require(LanguageFiles.bytes(tag)), path: "\(tag).toml")
            #expect(file.diagnostics.map(\.message) == [])
            let missing = Set(english.texts.keys).symmetricDifference(file.texts.keys)
            #expect(missing.sorted() == [], "\(tag).toml")
            #expect(file.months?.count == 12 && file.dateFormat != nil, "\(tag).toml")
        }
    }

    @Test func `each file of the folder is part of the program`() throws {
        let folder = Self.root.appending(path: "languages")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == LanguageFiles.tags.map { "\($0).toml" }.sorted())
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The English words in templates, scripts and the pages of siteauth.
    private static func textsInSources() throws -> Set<String> {
        var texts = Set(MarkdownOptions.ownTexts)
        let patterns: [(folder: String, pattern: Regex<(Substring, Substring)>)] = [
            ("templates", /\{\{#text\}\}(.*?)\{\{\/text\}\}/),
            ("templates", /\btext\("([^"]*)"/),
            ("Sources/Rendering", /\b(?:texts|html|texts\.text)[\[(]"([^"]+)"/),
            ("Sources/Site", /\b(?:texts|html|texts\.text)[\[(]"([^"]+)"/),
            ("Sources/Site/Navigation", /count, "([^"]+)"\)/),
            ("Sources/SiteGenerator", /\b(?:texts|html|texts\.text)[\[(]"([^"]+)"/),
            ("Sources/RelyingParty/Pages", /"((?:[A-Z]|\(none)[^"\\\/]*)"/),
        ]
        for (folder, pattern) in patterns {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            while let name = files?.nextObject() as? String {
                guard name.hasSuffix(".html") || name.hasSuffix(".js") || name.hasSuffix(".swift")
                else { continue }
                let file = root.appending(path: folder).appending(path: name)
                // Some folders have names like files.
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                texts.formUnion(text.matches(of: pattern).map { String($0.output.1) })
            }
        }
        return texts
    }
}
