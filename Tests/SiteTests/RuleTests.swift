import Diagnostics
import Foundation
import Testing

@testable import Rules
@testable import Site
@testable import SourceFolder

@Suite struct RuleTests {
    private static func parse(_ checks: String) -> (SiteConfiguration, [String]) {
        let text = "[checks]\n" + checks
        let (configuration, diagnostics) = SiteConfiguration.parse(
            Array(text.utf8),
            path: "sitegen.toml"
        )
        return (configuration, diagnostics.map { $0.text(program: "sitegen") })
    }

    private static func severities(_ found: [Diagnostic], _ checks: String, strict: Bool = false)
        -> [Diagnostic.Severity]
    {
        var options = CheckOptions()
        options.isStrict = strict
        let settings = parse(checks).0.checks
        let filter = DiagnosticFilter(settings: settings, options: options, folder: "")
        return filter.apply(found).diagnostics.map(\.severity)
    }

    @Test func `names are words in lower case, joined by hyphens`() {
        for rule in Rule.allCases {
            #expect(
                rule.rawValue.utf8.allSatisfy { $0 == 45 || (97...122).contains($0) || $0 == 49 }
            )
            #expect(rule.summary.hasSuffix("."))
        }
    }

    @Test func `the page of rules lists each rule once, under its severity`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let page = try String(
            contentsOf: root.appending(path: "site/handbook/reference/rules.md"),
            encoding: .utf8
        )
        let sections = page.split(separator: "\n## ").dropFirst()
        for rule in Rule.allCases {
            let heading =
                switch (rule.reasonToFailClosed, rule.defaultSeverity) {
                case (_?, _): "Always errors"
                case (nil, .error): "Errors"
                case (nil, .warning): "Warnings"
                case (nil, .note): "Notes"
                }
            let entry = "\n- **`\(rule.rawValue)`**: "
            let found = sections.filter { $0.contains(entry) }
            #expect(found.count == 1 && found[0].hasPrefix(heading + "\n"), "\(rule)")
        }
        let entries = page.split(separator: "\n- **`").dropFirst().map { $0.prefix { $0 != "`" } }
        #expect(entries.map(String.init).sorted() == Rule.allCases.map(\.rawValue).sorted())
    }

    @Test func `a key that no page should have is one finding, with what was meant`() {
        let found = (1...3).map { number in
            let place = Diagnostics.SourceLocation("\(number).md")
            return Diagnostic(.unknownKey, "unknown key 'titel'", at: place, subject: "titel")
        }
        let other = Diagnostic(.unknownKey, "x", at: .init("x.md"), subject: "reviewDate")
        func messages(_ options: CheckOptions) -> [String] {
            let filter = DiagnosticFilter(settings: RuleSettings(), options: options, folder: "")
            return filter.apply(found + [other]).diagnostics.map(\.message)
        }
        var options = CheckOptions()
        let hint = "unknown key 'titel'; did you mean 'title'?"
        let review = "x; did you mean 'review'?"
        #expect(messages(options) == ["\(hint); 3 times in 3 pages", review])
        options.shownRules = [.unknownKey]
        #expect(messages(options) == [hint, hint, hint, review])
    }

    @Test func `a site says how much a finding matters`() {
        let link = Diagnostic(.deadLink, "a", at: Diagnostics.SourceLocation("a.md"))
        let image = Diagnostic(.missingAlternativeText, "b", at: Diagnostics.SourceLocation("b.md"))
        #expect(Self.severities([link, image], "") == [.error, .warning])
        #expect(Self.severities([link, image], "dead-link = \"warning\"") == [.warning, .warning])
        #expect(Self.severities([link, image], "dead-link = \"off\"") == [.warning])
        #expect(
            Self.severities([link, image], "missing-alternative-text = \"error\"") == [
                .error, .error,
            ]
        )
    }

    @Test func `strict makes warnings errors, and leaves notes and what is off alone`() {
        let found = [
            Diagnostic(.rawHTML, "a", at: Diagnostics.SourceLocation("a")),
            Diagnostic(.movedExternalLink, "b", at: nil),
            Diagnostic(.orphanPage, "c", at: Diagnostics.SourceLocation("c")),
        ]
        #expect(Self.severities(found, "orphan-page = \"off\"", strict: true) == [.note, .error])
    }

    @Test func `what keeps pages from readers cannot be lowered`() {
        let closed = Rule.allCases.filter { $0.reasonToFailClosed != nil }
        #expect(
            Set(closed) == [
                .dangerousLink, .duplicateOutput, .widenedAccess, .misspeltAccessKey,
                .restrictedInclude, .frontMatter,
                .withheldPage, .unreadAccess, .sourceFile, .conflictMarks, .template,
                .configuration,
            ]
        )
        for rule in closed {
            #expect(rule.defaultSeverity == .error)
            for level in ["warning", "off"] {
                let (_, diagnostics) = Self.parse("\(rule.rawValue) = \"\(level)\"")
                #expect(diagnostics.count == 1 && diagnostics[0].contains("is always an error"))
            }
            #expect(Self.parse("\(rule.rawValue) = \"error\"").1.isEmpty)
        }
    }

    @Test func `a misspelling in [checks] is reported with the right name`() {
        #expect(
            Self.parse("dead-lnk = \"off\"\ndead-anchor = \"of\"\nraw-html = false").1 == [
                "sitegen.toml:3:15: error: 'dead-anchor' is 'of'; it must be 'error', 'warning' or 'off'\n",
                "sitegen.toml:2:1: error: unknown rule 'dead-lnk' in [checks]; did you mean 'dead-link'?\n",
                "sitegen.toml:4:12: error: 'raw-html' is true or false; it must be a string\n",
            ]
        )
    }

    @Test func `a site may name keys of another tool that say nothing here`() {
        func rules(_ ignored: String, _ yaml: String) -> [String?] {
            let toml = "[front_matter]\nignore = [\(ignored)]\n"
            let (configuration, mistakes) = SiteConfiguration.parse(Array(toml.utf8), path: "s")
            let keys = configuration.ignoredKeys
            let reader = FrontMatterReader(Array(yaml.utf8), path: "a", groups: [], ignored: keys)
            return mistakes.map(\.message) + reader.diagnostics.map(\.rule)
        }
        #expect(rules("\"Group\", \"version\"", "group: [x]\nversion: 1").isEmpty)
        #expect(rules("\"version\"", "group: x\nversion: 1") == ["withheld-page"])
        #expect(rules("\"group\"", "version: 1") == ["unknown-key"])
        #expect(rules("\"draft\"", "") == ["'ignore' has 'draft', which is a key of sitegen"])
        #expect(
            rules("\"acess\"", "").first
                == "'ignore' has 'acess', which resembles a key that protects a page"
        )
    }

    @Test(arguments: [
        ("acess", true), ("drfat", true), ("widen", true), ("titel", false), ("xyz", false),
        ("last_access", true),
        ("accessibility", false),
    ])
    func `a key close to one that protects fails closed`(key: String, isClosed: Bool) {
        #expect(Rule.unknownKey(key) == (isClosed ? .misspeltAccessKey : .unknownKey))
    }
}
