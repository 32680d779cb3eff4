import Testing

@testable import SourceFolder

@Suite struct TOMLFrontMatterTests {
    private static func read(_ toml: String) -> (FrontMatter, [String]) {
        let reader = FrontMatterReader(
            Array(toml.utf8),
            .toml,
            path: "a.md",
            groups: ["hr", "board"]
        )
        return (reader.frontMatter, reader.diagnostics.map { $0.text(program: "sitegen") })
    }

    @Test func `a key that protects is not lost behind a NUL`() {
        let (matter, diagnostics) = Self.read("title = \"x\"\n\0\naccess = [\"hr\"]\n")
        #expect(matter.title == nil && matter.access == nil)
        let message = "front matter contains a NUL byte, as UTF-16 does; save it as UTF-8"
        #expect(diagnostics == ["a.md:3:1: error: \(message)\n"])
    }

    @Test(arguments: [0, 1, 7, 8, 13, 27, 31, 127] as [UInt8])
    func `no control character hides a key that protects a page`(control: UInt8) {
        let text = Array("title = \"x\" # y\naccess = [\"hr\"]\n".utf8)
        for position in 0...text.count {
            let bytes = Array(text[..<position]) + [control] + Array(text[position...])
            let reader = FrontMatterReader(bytes, .toml, path: "a.md", groups: ["hr"])
            let isRefused = reader.diagnostics.contains { $0.severity == .error && $0.rule == nil }
            // CR is the end of a line, so the key may still be one.
            #expect(isRefused || control == 13 && reader.frontMatter.access == .groups(["hr"]))
        }
    }

    @Test(arguments: ["[\n", "[$", "[=", "[[=", "[é]", "d=[}", "e=2026-11-23t:"])
    func `a line half typed is a mistake of the page, and the program goes on`(line: String) {
        let (matter, diagnostics) = Self.read("access = [\"hr\"]\n\(line)\n")
        #expect(matter.access == nil)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.allSatisfy { $0.hasPrefix("a.md:3:") })
    }

    @Test func `a mistake in a list has the location of its element`() {
        let (_, diagnostics) = Self.read("tags = [\n  \"a\",\n  { b = 1 },\n]\n")
        #expect(diagnostics == ["a.md:4:3: error: 'tags' must be a list of strings\n"])
    }

    @Test func `an unknown group is reported at its location, as in YAML`() {
        let (_, diagnostics) = Self.read("access = [\"hr\", \"bord\"]\n")
        let message = "group 'bord' is not defined in sitegen.toml; it defines 'board', 'hr'"
        #expect(diagnostics == ["a.md:2:17: error: \(message); did you mean 'board'?\n"])
        let yaml = FrontMatterReader(
            Array("access: [hr, bord]\n".utf8),
            path: "a.md",
            groups: ["hr", "board"]
        )
        #expect(yaml.diagnostics.map(\.location?.column) == [14])
    }

    @Test func `numbers and dates are the text that the author wrote`() throws {
        let text = """
            title = "x"
            [params]
            version = 1.10
            big = 9007199254740993
            day = 2026-11-22
            moment = 2026-11-22 10:30:00+01:00
            time = 10:30:00
            """
        let (matter, diagnostics) = Self.read(text)
        #expect(diagnostics.isEmpty)
        let values = matter.params.map(\.value.text)
        let moment = "2026-11-22T10:30:00+01:00"
        #expect(values == ["1.10", "9007199254740993", "2026-11-22", moment, "10:30:00"])
    }
}
