import Diagnostics
import Fixtures
import Foundation
import Testing

/// Builds each folder of `Sites` and compares all that comes out.
///
/// `SITEGEN_UPDATE_GOLDEN=1` writes what came out as what is expected, and fails.
@Suite struct GoldenSiteTests {
    static let sites = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Sites")

    /// Throws where the folder cannot be read: no cases would be no failures, too.
    static func names() throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: sites.path)
            .filter { $0 != "templates" }.sorted()
        return try #require(names.isEmpty ? nil : names, "no golden sites in '\(sites.path)'")
    }

    @Test(arguments: try names())
    func `a site becomes what is expected`(name: String) async throws {
        let files = FileManager.default
        let site = try TemporarySite(hasBuiltInTheme: true)
        let work = site.folder
        for file in try files.contentsOfDirectory(atPath: Self.sites.appending(path: name).path) {
            let original = Self.sites.appending(path: "\(name)/\(file)")
            try files.copyItem(at: original, to: work.appending(path: file))
        }
        let templates = work.appending(path: "templates")
        if !files.fileExists(atPath: templates.path) {
            try files.copyItem(at: Self.sites.appending(path: "templates"), to: templates)
        }
        let outcome = await site.build()
        let diagnostics = outcome.diagnostics.map { $0.text(program: "sitegen") }.joined()
            .replacing(work.path + "/", with: "")
        var actual = ["diagnostics.txt": diagnostics]
        if outcome.release != nil {
            let release = site.current
            for path in try files.subpathsOfDirectory(atPath: release.path).sorted()
            where ["access", "redirects.map"].contains(path) || path.hasPrefix("site/") {
                // Indexes: SearchIndexTests reads those.
                if path.hasPrefix("site/_search") { continue }
                let file = release.appending(path: path)
                if let text = try? String(contentsOf: file, encoding: .utf8) {
                    actual["expected/\(path)"] = text
                }
            }
        }
        let folder = Self.sites.appending(path: name)
        let others = ["diagnostics.txt"]
        let differences = try ExpectedFiles.differences(actual, in: folder, others: others)
        #expect(differences == [])
    }
}
