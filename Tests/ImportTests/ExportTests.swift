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
            var actual = ["expected/report.txt": report]
            let files = FileManager.default
            for path in try files.subpathsOfDirectory(atPath: "\(work)/site") {
                let file = URL(filePath: "\(work)/site/\(path)")
                if path == ".sitegen-import" || path == ".gitignore" { continue }
                actual["expected/\(path)"] = try? String(contentsOf: file, encoding: .utf8)
            }
            #expect(try ExpectedFiles.differences(actual, in: folder) == [])
        }
    }
}
