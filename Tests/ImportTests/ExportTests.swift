import Fixtures
import Foundation
import Testing

@testable import Import

/// Imports each folder of `Exports` and compares all that comes out.
///
/// `SITEGEN_UPDATE_GOLDEN=1` writes what came out as what is expected, and fails.
@Suite struct ExportTests {
    static let exports = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Exports")

    @Test(arguments: ["confluence-xml", "confluence-html", "notion"])
    func `an export becomes what is expected`(name: String) throws {
        let folder = Self.exports.appending(path: name)
        try withTemporaryFolder { work in
            let made = try SiteImport(
                folder.appending(path: "source").path,
                into: "\(work)/site",
                jira: "https://jira.example.com"
            )
            let report = made.report.replacing(Self.exports.path + "/", with: "")
            var actual = ["report.txt": report]
            let files = FileManager.default
            for path in try files.subpathsOfDirectory(atPath: "\(work)/site") {
                let file = URL(filePath: "\(work)/site/\(path)")
                if path == ".sitegen-import" || path == ".gitignore" { continue }
                actual[path] = try? String(contentsOf: file, encoding: .utf8)
            }
            try compare(actual, folder.appending(path: "expected"))
        }
    }

    private func compare(_ actual: [String: String], _ folder: URL) throws {
        let files = FileManager.default
        if ProcessInfo.processInfo.environment["SITEGEN_UPDATE_GOLDEN"] != nil {
            try? files.removeItem(at: folder)
            for (path, text) in actual {
                let file = folder.appending(path: path)
                try files.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: false, encoding: .utf8)
            }
            Issue.record("'\(folder.path)' was written anew; read it before you commit it")
            return
        }
        var expected: [String: String] = [:]
        for path in try files.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: path)
            expected[path] = try? String(contentsOf: file, encoding: .utf8)
        }
        #expect(Set(actual.keys) == Set(expected.keys))
        for (path, text) in expected { #expect(actual[path] == text, "\(path)") }
    }
}
