import Access
import Diagnostics
import POSIX
import Settings

@testable import Rules
@testable import Site
@testable import SourceFolder

/// What stands above the text of a page, and decides who may read it.
enum FrontMatterTargets {
    static let all: [String: FuzzTarget.Test] = [
        "front-matter": frontMatter, "protected-page": protectedPage, "sitegen-toml": sitegenTOML,
        "decoded-text": decodedText,
    ]

    static func frontMatter(_ bytes: [UInt8]) {
        let file = DecodedText(bytes).utf8
        let split = FrontMatterSplit(file)
        expect(split.markdown.count <= file.count, "the Markdown is a part of the file")
        expect(file.suffix(split.markdown.count).elementsEqual(split.markdown), "it is its end")
        let above = file.dropLast(split.markdown.count).count { $0 == 10 }
        let isCut = !split.markdown.isEmpty && split.mistake == nil
        expect(!isCut || split.linesBefore == above, "\(split.linesBefore) lines, not \(above)")
        guard let text = split.frontMatter else { return }
        expect(split.mistake == nil, "front matter that ends has no mistake")
        let lines = 1 + file.count { $0 == 10 }
        let languages: [FrontMatterSplit.Language] = [.yaml, .toml, .json]
        for language in languages {
            let reader = FrontMatterReader(
                text,
                language,
                path: "a.md",
                linesAbove: split.linesAbove,
                groups: ["hr", "board"]
            )
            let isSound = reader.diagnostics.allSatisfy { $0.severity != .error }
            if case .groups(let names)? = reader.frontMatter.access {
                expect(!names.isEmpty && names.isSubset(of: ["hr", "board"]), "\(names)")
            }
            for diagnostic in reader.diagnostics {
                guard let location = diagnostic.location else { continue }
                expect(location.line <= lines + 1 || language != split.language, "\(diagnostic)")
                expect(!diagnostic.message.isEmpty, "a mistake has words")
            }
            _ = (isSound, reader.frontMatter.params)
        }
    }

    // MARK: A whole page

    private static let folder = ScratchFolder()
    private static let configuration = SiteConfiguration.parse(
        Array("[groups]\nhr = { role = \"HR\" }\nboard = { role = \"B\" }\n".utf8),
        path: "sitegen.toml"
    ).configuration

    private static func page(_ bytes: [UInt8]) -> Page {
        folder.write(bytes, "a.md")
        var options = BuildOptions(now: 1_795_348_800)
        options.isLenient = true
        let root = require(try? OpenFolder(folder.path), "folder")
        let file = SourceTree.File(path: "a.md", displayPath: "a.md", root: root)
        return Page(reading: file, configuration, options)
    }

    /// A page whose front matter has the line `access: [hr]` is for that group, or nothing is
    /// published, whatever stands beside the line.
    static func protectedPage(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        let kind = input.byte()
        let (above, below, text) = (input.text(), input.text(), input.text())
        // Such a line ends the front matter, or the text is no front matter at all.
        let others = above + below
        if ["---", "+++", "...", "access", "Access"].contains(where: others.contains) { return }
        if others.contains("\u{0}") || others.contains("<!--") { return }
        let rule = kind & 1 == 0 ? "access: [hr]" : "access:\n- hr"
        let lines = [above, rule, below].filter { !$0.isEmpty }.joined(separator: "\n")
        let page = page(Array("---\n\(lines)\n---\n\(text)".utf8))
        let isRefused = page.diagnostics.contains { error in
            error.severity == .error
        }
        let access = page.frontMatter.access
        expect(isRefused || access == .groups(["hr"]), "the page is open: \(lines)")
    }

    static func sitegenTOML(_ bytes: [UInt8]) {
        let (configuration, diagnostics) = SiteConfiguration.parse(bytes, path: "sitegen.toml")
        for group in configuration.groups {
            expect(GroupDefinition.isName(group.name), "a name of a group: \(group.name)")
        }
        let isSound = diagnostics.allSatisfy { $0.severity != .error }
        if isSound, !configuration.groups.isEmpty {
            let rules = [AccessPolicy.Rule(path: "/", audience: .signedIn)]
            let policy = AccessPolicy(groups: configuration.groups, rules: rules)
            expect(policy.flatMap { AccessPolicy(text: $0.text) } != nil, "siteauth can read it")
        }
        expect(diagnostics.allSatisfy { !$0.message.isEmpty }, "a mistake has words")
    }

    static func decodedText(_ bytes: [UInt8]) {
        let text = DecodedText(bytes)
        let lines = 1 + bytes.count { $0 == 10 || $0 == 13 }
        if let mistake = text.mistake {
            expect(text.utf8.isEmpty, "a file with a mistake has no text")
            expect((1...lines).contains(mistake.line), "\(mistake) of \(lines) lines")
            // A character of UTF-16 has up to three bytes in UTF-8.
            expect((1...2 * bytes.count + 1).contains(mistake.column), "\(mistake)")
            return
        }
        expect(String(validating: text.utf8, as: UTF8.self) != nil, "the text is UTF-8")
        expect(!text.utf8.contains(0) && !text.utf8.contains(13), "no NUL, line feeds only")
        let again = DecodedText(text.utf8)
        expect(again.utf8 == text.utf8, "decoded twice it is the same")
    }
}
