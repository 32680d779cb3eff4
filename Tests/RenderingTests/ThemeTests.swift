import Fixtures
import Foundation
import OpenSSL
import Testing

@testable import Rendering
@testable import Site
@testable import SourceFolder

@Suite struct ThemeTests {
    /// A theme of the built-in files and these.
    private static func theme(
        _ files: [String: String],
        _ toml: String = "",
        source: [String: String] = [:]
    ) throws -> (theme: Theme, messages: [String]) {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, "t/theme/\(name)") }
        for (name, text) in source { try folder.write(text, "s/\(name)") }
        let tree = { (name: String) in
            SourceTree(listing: folder.path(name), displayFolder: name)
        }
        let (configuration, mistakes) = SiteConfiguration.parse(
            Array(toml.utf8),
            path: "sitegen.toml"
        )
        let theme = Theme(
            TemplateSources(files.isEmpty ? nil : tree("t")),
            configuration.theme,
            source: source.isEmpty ? [] : tree("s").files
        )
        let messages = (mistakes + theme.diagnostics).map {
            $0.text(program: "sitegen").split(separator: "\n").first.map(String.init) ?? ""
        }
        return (theme, messages)
    }

    private static func text(_ theme: Theme, _ prefix: String) throws -> String {
        let file = try #require(theme.files.first { $0.path.hasPrefix("theme/\(prefix)") })
        guard case .bytes(let bytes) = file.content else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a style sheet finds the other files of the theme`() throws {
        let sheet = """
            /* url(none.svg) */ a::before { content: "url(none.svg)" }
            b { background: URL( 'img/b.svg#x' ) } c { background: url(img/b.svg) }
            d { background: url(data:image/svg+xml,x) url(#here) url(/press/x.png) my-url(none.svg) }
            """
        let files = [
            "site.css": sheet, "img/b.svg": "<svg/>", "deep/x.css": "e{src:url(../img/./b.svg)}",
        ]
        let (theme, messages) = try Self.theme(files)
        #expect(messages.isEmpty)
        let picture = try #require(theme.urls["img/b-svg"])
        #expect(picture.hasPrefix("/_theme/img/b.") && picture.hasSuffix(".svg"))
        let css = try Self.text(theme, "site.")
        let expected = sheet.replacing("URL( 'img/b.svg#x' )", with: "URL( '\(picture)#x' )")
            .replacing("url(img/b.svg)", with: "url(\(picture))")
        #expect(css == String(decoding: CompactText.style(Array(expected.utf8)), as: UTF8.self))
        #expect(try Self.text(theme, "deep/x.") == "e{src:url(\(picture))}")
        // A browser checks what it gets, and not what was written.
        let digest = Data(Digest.sha384(Array(css.utf8))).base64EncodedString()
        #expect(theme.integrity["site-css"] == "sha384-\(digest)")
        // Another picture is another style sheet.
        let other = try Self.theme(files.merging(["img/b.svg": "<svg />"]) { $1 }).theme
        #expect(other.urls["site-css"] != theme.urls["site-css"])
    }

    @Test(arguments: [
        (
            "a {\n  b: url(none.svg) }",
            "t/theme/site.css:2:10: error: 'none.svg' is not a file of the theme"
        ),
        (
            "a{b:url(../layout.html)}",
            "t/theme/site.css:1:9: error: '../layout.html' is not a file of the theme"
        ),
        (
            "@import url(site.css);",
            "t/theme/site.css:1:13: error: 'site.css' is a circular reference"
        ),
    ])
    func `a dead reference in a style sheet is reported`(css: String, message: String) throws {
        #expect(try Self.theme(["site.css": css]).messages == [message])
    }

    @Test func `logo and favicon come from the theme or from the pages`() throws {
        let toml = "[theme]\nlogo = \"images/Our logo.svg\"\nfavicon = \"icon.png\"\n"
        let (theme, messages) = try Self.theme(
            ["icon.png": "p"],
            toml,
            source: ["images/Our logo.svg": "<svg/>"]
        )
        #expect(messages.isEmpty)
        #expect(theme.urls["favicon"] == theme.urls["icon-png"])
        let logo = try #require(theme.urls["logo"])
        #expect(logo.hasPrefix("/_theme/Our%20logo.") && logo.hasSuffix(".svg"))
        #expect(try Self.text(theme, "Our logo.") == "<svg/>")
        #expect(try Self.theme([:]).theme.urls["logo"] == nil)
    }

    @Test(arguments: [
        (
            "accent = \"red\"",
            "2:10: error: 'accent' is 'red'; it must be a colour such as '#1a5fb4'"
        ),
        (
            "accent = \"#12345\"",
            "2:10: error: 'accent' is '#12345'; it must be a colour such as '#1a5fb4'"
        ),
        (
            "accent = \"#12345g\"",
            "2:10: error: 'accent' is '#12345g'; it must be a colour such as '#1a5fb4'"
        ),
        (
            "accent_dark = \"#ffffff\"",
            "2:15: error: 'accent_dark' needs 'accent'"
        ),
        (
            "logo = \"hr.md\"",
            "2:8: error: 'logo' is 'hr.md'; it must be a picture such as 'logo.svg'"
        ),
        (
            "acent = \"#123456\"",
            "2:9: error: unknown key 'acent' in [theme]; did you mean 'accent'?"
        ),
        (
            "logo = \"x.svg\"",
            "2:8: error: 'logo' is 'x.svg'; there is no such file in the source folder "
                + "or in the theme"
        ),
    ])
    func `a mistake is reported`(line: String, message: String) throws {
        let messages = try Self.theme([:], "[theme]\n\(line)\n").messages
        let expected = message.drop { $0 != " " }
        #expect(messages.map { $0.drop { $0 != " " } } == [expected])
        #expect(messages.allSatisfy { $0.hasPrefix("sitegen.toml:2:") })
    }

    @Test func `the accent colour is appended to the style sheet`() throws {
        let (theme, _) = try Self.theme(
            [:],
            "[theme]\naccent = \"#0a5a2f\"\naccent_dark = \"#8fd6a4\"\n"
        )
        let css = try Self.text(theme, "site.")
        #expect(css.hasSuffix("\n:root { --accent: light-dark(#0a5a2f, #8fd6a4); }\n"))
        let plain = try Self.theme([:]).theme
        #expect(plain.urls["site-css"] != theme.urls["site-css"])
    }
}
