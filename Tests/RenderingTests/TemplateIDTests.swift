import Testing

@testable import Markdown
@testable import Rendering

/// The ids of the templates and scripts: none that a heading of a page may have.
@Suite struct TemplateIDTests {
    private static func ids(in path: String, _ bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        let marks =
            path.hasSuffix(".js")
            ? ["{ id: \"", "{ id: `", ", id: \"", ", id: `", "getElementById(\""] : [" id=\""]
        return marks.flatMap { mark in
            text.split(separator: mark, omittingEmptySubsequences: false).dropFirst().compactMap {
                $0.split(whereSeparator: { "\"`$".contains($0) }).first.map(String.init)
            }
        }
    }

    @Test func `no heading and no author can have an id of the templates`() {
        var count = 0
        for (path, read) in TemplateSources.builtIn {
            for id in Self.ids(in: path, read()) {
                #expect(id.hasPrefix(DocumentIDs.reservedPrefix), "\(path): \(id)")
                #expect(HeadingSlugs.slug(id) != id, "\(path): \(id)")
                count += 1
            }
        }
        #expect(count >= 15)
    }
}
