import Access
import Fixtures
import Foundation
import POSIX
import Testing

@testable import Rules
@testable import Site
@testable import SourceFolder

/// Saves a protected page in forms, encodings and with damages made by chance, and reads it back:
/// it is protected as written, or nothing is published.
@Suite struct ProtectedPageTests {
    private static let pages: UInt64 = 6_000

    @Test func `a protected page is protected, or nothing is published`() async throws {
        let folder = try SinglePage()
        var isProtected = 0
        var refused = 0
        var open = 0
        var forms: Set<String> = []
        for seed in 1...Self.pages {
            // Other tests run on the same few threads.
            if seed % 50 == 0 { await Task.yield() }
            let source = ProtectedPage(seed: seed)
            guard source.stillSaysAccess else { continue }
            forms.insert(source.form)
            let page = try folder.read(source.bytes)
            let isRefused = page.diagnostics.contains { error in
                error.severity == .error
                    && Rule(rawValue: error.rule ?? "")?.reasonToFailClosed != nil
            }
            if isRefused {
                refused += 1
            } else {
                isProtected += 1
                open += page.frontMatter.access == .groups(["hr"]) ? 0 : 1
                #expect(
                    page.frontMatter.access == .groups(["hr"]),
                    "page \(seed) is open: \(source.form)\n\(source.text)"
                )
                // A few suffice to see what is wrong.
                if open > 20 { return }
            }
        }
        print("\(isProtected) pages protected, \(refused) refused, \(forms.count) forms")
        // Most forms are understood, and most damages are not.
        #expect(isProtected > 2_000 && refused > 1_500 && forms.count > 500)
    }

    /// The review's: each was published to everybody who signs in.
    @Test(arguments: [
        "\u{FEFF}\u{FEFF}---\naccess: [hr]\n---\n", " ---\naccess: [hr]\n---\n",
        "\u{A0}---\naccess: [hr]\n---\n", "\u{200B}---\naccess: [hr]\n---\n",
        "---\raccess: [hr]\r---\rtext\r", "<!-- a -->\n---\naccess: [hr]\n---\n",
        "<!-- a --> ---\naccess: [hr]\n---\n", "\n\n---\naccess: [hr]\n---\n",
        "{\n  \"access\": [\"hr\"]\n}\ntext\n", "{\"access\": \"hr\"}", "---\nAccess: hr\n---\n",
        "\u{FEFF}+++\naccess = [\"hr\"]\n+++\n", "\n{\"title\": \"}\", \"access\": [\"hr\"]}\n",
    ])
    func `front matter is read in the forms in which people save it`(text: String) throws {
        let folder = try SinglePage()
        let utf16 = text.data(using: .utf16LittleEndian) ?? Data()
        let big = text.data(using: .utf16BigEndian) ?? Data()
        for bytes in [Array(text.utf8), [0xFF, 0xFE] + utf16, [0xFE, 0xFF] + big] {
            let page = try folder.read(bytes)
            #expect(page.diagnostics.isEmpty, "\(page.diagnostics)")
            #expect(page.frontMatter.access == .groups(["hr"]))
        }
    }

    @Test(arguments: [
        "access: signed-in\n\n  - hr\n", "access: public\n\n  hr\n", "access: |\n  public\n  hr\n",
        "access: \"public\n\n  hr\"\n", "access:\n  - signed-in\n\n    - hr\n",
        "access:\n  hr\n\n  board\n", "access: \"signed-in\\rhr\"\n",
        "access: \"hr\\u2028board\"\n",
        "access: \u{212A}r\n",
    ])
    func `no line of access is left out`(text: String) throws {
        let page = try SinglePage().read(Array("---\n\(text)---\n".utf8))
        #expect(page.diagnostics.contains { $0.severity == .error }, "\(page.diagnostics)")
        let block = try SinglePage().read(Array("---\naccess: |\n\n  hr\n\n---\n".utf8))
        #expect(block.frontMatter.access == .groups(["hr"]) && block.diagnostics.isEmpty)
    }

    @Test(arguments: [
        "\n---\n\n? access\n: [hr]\n---\n", "\n---\n\n\"\\x61ccess\": [hr]\n---\n",
        "<!-- a -->\n---\n\n{access: [hr]}\n---\n", "\n---\n\n!!str access: [hr]\n---\n",
        "\n---\n\n'access' : [hr]\n---\n",
    ])
    func `front matter below an empty line is front matter in all spellings`(text: String) throws {
        let page = try SinglePage().read(Array(text.utf8))
        let isRead = page.frontMatter.access == .groups(["hr"])
        #expect(isRead || page.diagnostics.contains { $0.severity == .error })
    }

    @Test(arguments: [
        (String(repeating: "d", count: 500), ""), (String(repeating: "d", count: 20_000), ""),
        ("d", String(repeating: "a: b\n", count: 120)),
    ])
    func `a key is found in long lines and below many`(value: String, lines: String) throws {
        for text in [
            "--- title: T description: \(value) access: [hr] ---\n\nText\n",
            "---\u{2028}title: \(value)\u{2028}access: [hr]\u{2028}---\n\nText\n",
            "--\n\(lines)access: [hr]\n--\n\nText\n",
        ] {
            let page = try SinglePage().read(Array(text.utf8))
            #expect(page.diagnostics.contains { $0.rule == "unread-access" }, "\(text.prefix(40))")
        }
    }

    @Test(arguments: [
        ("--\naccess: [hr]\n---\n", "2:1"), ("access: [hr]\n---\n# T\n", "1:1"),
        ("—\naccess: [hr]\n—\n", "2:1"), ("# T\n\n---\naccess: [hr]\n---\n", "4:1"),
        ("---\ntitle: a\n---\naccess: [hr]\n", "4:1"), ("--- access: [hr] ---\n", "1:1"),
        ("```\n---\naccess: hr\n---\n", "3:1"),
        ("---\ntitle: |\n  access: hr\n---\n", "3:1"), ("<!--\naccess: [hr]\n-->\nText\n", "2:1"),
        ("a\u{200B}ccess：[hr]\nText\n", "1:1"), ("private: true\n\nText\n", "1:1"),
        ("    ---\n    access: [hr]\n    ---\n", "2:1"), ("axcess: hr\n", "1:1"),
        ("title: x\naccess [hr]\n", "2:1"), ("ï»¿---\naccess:\n- hr\n---\n", "2:1"),
        ("title: x\nACCESS = \"hr\"\n\nText", "2:1"), ("draft: true\n\n# T\n", "1:1"),
        ("* * *\n\n## title: Plan access: \\[hr\\]\n", "3:1"), ("## access: \\[hr\\]\n", "1:1"),
        ("***\n\n**access: \\[hr\\]**\n", "3:1"), ("**access:** [hr]\n", "1:1"),
        ("* title: x\n* access: [hr]\n", "2:1"), ("> ---\n> access: [hr]\n> ---\n", "2:1"),
        ("1 | ---\n2 | access: [hr]\n3 | ---\n", "2:1"), ("access&#58; [hr]\n", "1:1"),
        ("# T\n\n**Access:** hr, board\n", "3:1"),
        ("---\ntitle: a\n---\n\n| Access | hr |\n", "5:1"), ("* * *\n\naccess: hr board\n", "3:1"),
        ("---\nparams:\n  access: [\"hr\"]\n---\n", "3:3"),
        ("{\"params\":{\"access\":[\"hr\"]}}", "1:11"),
        ("+++\nparams.access = [\"hr\"]\n+++\n", "2:8"),
        // Letters and marks that look like those of the key.
        ("---\n𝐚𝐜𝐜𝐞𝐬𝐬: [hr]\n---\n", "2:1"), ("ⓐⓒⓒⓔⓢⓢ: hr\n", "1:1"), ("ᴀᴄᴄᴇꜱꜱ: hr\n", "1:1"),
        ("αсcеѕs: [hr]\n", "1:1"), ("a\u{301}cce\u{34F}ss: [hr]\n", "1:1"),
        ("title: T\naccess∶ hr, board\n", "2:1"), ("# T\n\naccess﹕ [hr]\n", "3:1"),
        ("title: T\naccess&#x3A; hr\n", "2:1"), ("«access»: hr\n", "1:1"),
        // A byte-order mark in a wrong encoding, and lines without a colon or with too much.
        ("ï»¿---\naccess hr, board\n---\n", "2:1"), ("----\n\"access\"x: [hr]\n----\n", "2:1"),
        ("\"title\": \"T\", \"access\": \"hr\", \"weight\": 1}\nText\n", "1:1"),
        ("-\u{200B}--\naccess: hr board\n---\n", "2:1"),
    ])
    func `a line that reads like a key that protects is an error`(text: String, location: String)
        throws
    {
        let page = try SinglePage().read(Array(text.utf8))
        #expect(
            page.diagnostics.compactMap(\.rule).contains("unread-access"),
            "\(page.diagnostics)"
        )
        let found = page.diagnostics.first { $0.rule == "unread-access" }?.location
        #expect(found.map { "\($0.line):\($0.column)" } == location)
    }

    @Test(arguments: [
        "# VPN\n\nAccess: ask the help desk for a token.\n",
        "---\naccess: public\n---\nprivate: true\n", "# A\n\n```yaml\naccess: [hr]\n```\n",
        "# A\n\n    access: [hr]\n", "---\ntitle: a\n---\n**Access:** all\n", "A: [access](b.md)\n",
        "---\n# access: [hr]\ntitle: a\n---\n", "Accessories: none\n", "Success: 1\n",
        "---\ntitle: 'access: hr'\n---\n", "# A\n\n**Access:** [ask here](a.md)\n",
        "# A\n\n| Role | Access |\n|---|---|\n| Boss | all |\n",
        "# A\n\nWrite `access: [hr]` on top.\n",
        "# A\n\n- Access: ask the help desk\n", "Excess [a](b)\n",
        "# A\n\nAccess [the portal](a.md) first.\n", "- - -\naccessible: no\n- - -\n",
    ])
    func `text about access is text`(text: String) throws {
        let page = try SinglePage().read(Array(text.utf8))
        #expect(page.diagnostics.allSatisfy { $0.rule != "unread-access" }, "\(page.diagnostics)")
    }

    @Test(
        arguments: [
            (
                [0xFF, 0xFE, 0x41, 0xD8], "1:1",
                "is UTF-16 and has half a character; save it as UTF-8"
            ),
            (
                [0xFF, 0xFE, 10, 0, 0x41], "2:1",
                "is UTF-16 and ends in the middle of a character; save it as UTF-8"
            ),
            (
                [65, 10, 66, 0xE9, 67], "2:2",
                "is not UTF-8: the byte 0xE9 is not part of a character; save it as UTF-8"
            ),
            (
                [65, 13, 66, 13, 0xC3], "3:1",
                "is not UTF-8: the byte 0xC3 is not part of a character; save it as UTF-8"
            ),
            ([65, 10, 0], "2:1", "contains a NUL byte, as UTF-16 does; save it as UTF-8"),
            ([0xFF, 0xFE, 0, 0, 65, 0, 0, 0], "1:1", "is UTF-32; save it as UTF-8"),
        ] as [([UInt8], String, String)]
    )
    func `bytes that are no text are an error at their line`(
        bytes: [UInt8],
        location: String,
        message: String
    ) throws {
        let page = try SinglePage().read(bytes)
        #expect(page.diagnostics.map(\.message) == [message])
        let found = page.diagnostics.first?.location
        #expect(found.map { "\($0.line):\($0.column)" } == location)
    }
}

/// A folder for one file that is read as a page.
private struct SinglePage {
    private let folder: TemporaryFolder
    private let configuration: SiteConfiguration

    init() throws {
        folder = try TemporaryFolder()
        let text = "[groups]\nhr = { role = \"HR\" }\nboard = { role = \"B\" }\n"
        configuration =
            SiteConfiguration.parse(Array(text.utf8), path: "sitegen.toml").configuration
    }

    func read(_ bytes: [UInt8]) throws -> Page {
        try folder.write(bytes, "a.md")
        var options = BuildOptions(now: 1_795_348_800)
        options.isLenient = true
        return Page(
            reading: try SourceTree.File(
                path: "a.md",
                displayPath: "a.md",
                root: OpenFolder(folder.path)
            ),
            configuration,
            options
        )
    }
}
