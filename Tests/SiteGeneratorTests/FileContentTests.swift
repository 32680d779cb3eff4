import Foundation
import Testing

@testable import SiteGenerator

@Suite struct FileContentTests {
    private static let pointer = """
        version https://git-lfs.github.com/spec/v1
        oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
        size 12345

        """

    @Test(arguments: [
        ("a.png", pointer, "is a pointer of Git LFS"),
        ("a.svg", pointer, "is a pointer of Git LFS"),
        ("data.csv", pointer, "is a pointer of Git LFS"),
        ("a.blend", pointer, "is a pointer of Git LFS"),
        ("a.png", "", "is empty"), ("a.pdf", "", "is empty"), ("a.svg", "", "is empty"),
        ("a.html", "", "is empty"), ("a.txt", "", nil), ("py.typed", "", nil), ("CNAME", "", nil),
        ("a.PNG", "GIF89a", "its name says PNG, but its content is GIF"),
        ("a.pdf", "<!doctype html>", "its name says PDF, but its content is HTML"),
        ("a.png", "Not found", "its name says PNG, but its content is something else"),
        ("a.zip", "\u{1}words", nil), ("a.pdf", "\n\n%PDF-1.4", nil),
        ("a.svg", "GIF89a", "its name says SVG, but its content is GIF"),
        ("a.gif", "GIF87a", nil), ("a.pdf", "%PDF-1.4", nil),
        ("a.svg", "<?xml version='1.0'?>", nil),
        ("a.svg", "\u{FEFF}<svg>", nil), ("a.docx", "PK\u{3}\u{4}", nil), ("a.unknown", "x", nil),
    ]) func `a file that is not what its name says is reported`(
        name: String,
        content: String,
        message: String?
    ) async throws {
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# Home\n", "site/\(name)": content,
        ])
        let outcome = await site.build()
        #expect(outcome.diagnostics.map(\.rule) == (message == nil ? [] : ["broken-file"]))
        #expect(message.map { outcome.diagnostics.first?.message.hasPrefix($0) == true } ?? true)
        #expect((outcome.release == nil) == (message != nil))
    }

    @Test func `a page that is a pointer of Git LFS is not published as one`() async throws {
        let site = try TemporarySite(["sitegen.toml": "", "site/index.md": Self.pointer])
        let outcome = await site.build()
        #expect(outcome.release == nil && outcome.diagnostics.map(\.rule) == ["source-file"])
    }

    @Test func `a conflict in SUMMARY.md is named as one`() async throws {
        let summary =
            "- [A](index.md)\n<<<<<<< HEAD\n- [B](b.md)\n=======\n- [C](b.md)\n>>>>>>> x\n"
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "# A\n", "site/b.md": "# B\n",
            "site/SUMMARY.md": summary,
        ])
        let outcome = await site.build()
        #expect(outcome.release == nil && outcome.diagnostics.map(\.rule) == ["conflict-marks"])
    }

    @Test(arguments: ["---\n", "+++\n"])
    func `a conflict in front matter is named as one`(fence: String) async throws {
        let matter = "<<<<<<< HEAD\ntitle: A\n=======\ntitle: B\n>>>>>>> other\n"
        let site = try TemporarySite([
            "sitegen.toml": "", "site/index.md": "\(fence)\(matter)\(fence)# A\n",
        ])
        let outcome = await site.build()
        #expect(outcome.diagnostics.map(\.rule) == ["conflict-marks"])
        #expect(outcome.diagnostics.first?.location?.line == 2)
    }
}
