import Diagnostics
import Foundation
import Testing

@testable import Rendering

@Suite struct TemplateSourcesTests {
    @Test func `what is built in is the folder of templates`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../templates").standardizedFileURL
        var onDisk: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: path)
            guard !file.hasDirectoryPath, let data = try? Data(contentsOf: file) else { continue }
            onDisk[path] = Array(data)
        }
        let builtIn = Dictionary(
            uniqueKeysWithValues: TemplateSources(nil).files.map { ($0.path, $0.bytes) }
        )
        #expect(builtIn == onDisk)
        #expect(TemplateSet(TemplateSources(nil)).diagnostics.isEmpty)
    }

    @Test func `a folder with the name of a style sheet is one`() throws {
        let theme = Theme(TemplateSources(nil))
        let parts = TemplateSources(nil).files.filter { $0.path.hasPrefix("theme/site.css/") }
        let sheet = try #require(theme.files.first { $0.path.hasPrefix("theme/site.") })
        guard case .bytes(let bytes) = sheet.content else { throw CommandError("no bytes") }
        #expect(bytes == parts.flatMap { CompactText.style($0.bytes) })
        #expect(
            theme.urls.keys.sorted()
                == [
                    "card-js", "favicon", "favicon-svg", "search-css", "search-js", "site-css",
                    "site-js",
                ]
        )
    }
}
