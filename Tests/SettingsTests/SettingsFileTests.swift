import Diagnostics
import Testing

@testable import Settings

@Suite struct SettingsFileTests {
    @Test func `values are read, and mistakes are reported at their locations`() {
        let text = """
            title = "x"
            count = "three"

            [group]
            names = ["a", 1]
              oen = 1

            [[list]]
            a = 1
            [[list]]
            a = true
            """
        let file = SettingsFile(Array(text.utf8), path: "f.toml")
        #expect(file.root.string("title") == "x")
        #expect(file.root.integer("count") == nil)
        let group = file.root.table("group")
        #expect(group?.strings("names") == nil)
        #expect(group?.integer("one") == nil)
        group?.refuseUnknownKeys()
        #expect(file.root.tables("list").map { $0.integer("a") } == [1, nil])
        file.root.refuseUnknownKeys()
        #expect(
            file.diagnostics.sorted().map { $0.text(program: "p") } == [
                "f.toml:2:9: error: 'count' is a string; it must be a whole number\n",
                "f.toml:5:15: error: 'names' contains a whole number; it must be a list of strings\n",
                "f.toml:6:3: error: unknown key 'oen' in [group]; did you mean 'one'?\n",
                "f.toml:11:5: error: 'a' is true or false; it must be a whole number\n",
            ]
        )
    }

    @Test func `a key that takes a string or a list of strings says so`() {
        let file = SettingsFile(Array("one = \"x\"\ntwo = 2\nthree = [3]".utf8), path: "f.toml")
        #expect(file.root.stringOrStrings("one") == ["x"])
        #expect(
            file.root.stringOrStrings("two") == nil && file.root.stringOrStrings("three") == nil
        )
        #expect(
            file.diagnostics.sorted().map { $0.text(program: "p") } == [
                "f.toml:2:7: error: 'two' is a whole number; it must be a string or a list of strings\n",
                "f.toml:3:10: error: 'three' contains a whole number; it must be a string or a list of strings\n",
            ]
        )
    }

    // toml++, which read these files before, ended the process at each of them.
    @Test(arguments: ["[\n", "[$", "[=", "[[=", "[é]", "d=[}", "e=2026-11-23t:", "["])
    func `a half-typed text is a mistake at its location`(text: String) {
        let file = SettingsFile(Array(text.utf8), path: "f.toml")
        #expect(file.diagnostics.count == 1)
        #expect(file.diagnostics.first?.location?.line == 1)
        #expect(file.diagnostics.first?.message.hasPrefix("is not TOML: ") == true)
    }

    @Test func `a mistake says what it contradicts, in lines of the whole file`() {
        let file = SettingsFile(Array("a = 1\n  a = 2".utf8), path: "f.md", linesAbove: 1)
        let text = file.diagnostics.map { $0.text(program: "p") }.joined()
        #expect(
            text == """
                f.md:3:3: error: is not TOML: 'a' is defined twice
                f.md:2:1: note: 'a' is defined here

                """
        )
    }

    @Test func `a text with one mistake has no keys`() {
        let file = SettingsFile(Array("a = 1\nb =\nc = 3".utf8), path: "f.toml")
        #expect(file.root.keys.isEmpty && !file.root.has("a") && file.root.integer("c") == nil)
    }

    @Test(
        arguments: [
            [0xEF, 0xBB, 0xBF, 0x61, 0x3D, 0x31, 13, 10], [0x61, 0x3D, 0x31, 13, 13],
            [0xFF, 0xFE, 0x61, 0, 0x3D, 0, 0x31, 0], [0xFE, 0xFF, 0, 0x61, 0, 0x3D, 0, 0x31],
        ] as [[UInt8]]
    )
    func `a file is read however an editor has saved it`(bytes: [UInt8]) {
        let file = SettingsFile(bytes, path: "f.toml")
        #expect(file.root.integer("a") == 1 && file.diagnostics.isEmpty)
        #expect(file.root.location(of: "a").text == "f.toml:1:3")
    }

    @Test(
        arguments: [
            ([0x61, 0x3D, 0x31, 0x0A, 0x23, 0xFF], "2:2"), ([0x23, 0xC0, 0x80], "1:2"),
            ([0x23, 0xED, 0xA0, 0x80], "1:2"), ([0xFF, 0xFE, 0x61], "1:1"),
        ] as [([UInt8], String)]
    )
    func `bytes that are no text are reported at their place`(bytes: [UInt8], place: String) {
        let file = SettingsFile(bytes, path: "f.toml")
        let errors = file.diagnostics.map { $0.text(program: "p") }
        #expect(
            errors.count == 1 && errors[0].hasPrefix("f.toml:\(place): error: is "),
            "\(errors)"
        )
        #expect(file.root.keys.isEmpty)
    }

    @Test func `nothing behind a NUL is dropped in silence`() {
        let file = SettingsFile(Array("a = 1\n\0\nb = 2".utf8), path: "f.toml")
        #expect(file.root.keys.isEmpty)
        #expect(
            file.diagnostics.map { $0.text(program: "p") } == [
                "f.toml:2:1: error: contains a NUL byte, as UTF-16 does; save it as UTF-8\n"
            ]
        )
    }

    @Test func `keys, values, elements and tables have their places`() throws {
        let text = """
            x.y = 1
              list = ["a",
                "b"]
            text = '''
            z'''
            [t . u]
            v = { w = true }
            [[e]]
            [[e]]
            """
        let file = SettingsFile(Array(text.utf8), path: "f")
        let root = file.root
        func location(_ line: Int, _ column: Int, _ length: Int) -> Diagnostics.SourceLocation {
            Diagnostics.SourceLocation("f", line: line, column: column, length: length)
        }
        #expect(root.entries.map(\.key) == ["x", "list", "text", "t", "e"])
        #expect(root.entries.map(\.keyLocation.line) == [1, 2, 4, 6, 8])
        #expect(root.location(of: "list") == location(2, 10, 14))
        #expect(root.location(of: "text") == location(4, 8, 8))
        #expect(root.table("x")?.location(of: "y") == location(1, 7, 1))
        let table = try #require(root.table("t")?.table("u"))
        #expect(
            table.location == location(6, 1, 7) && table.location(of: "none") == location(6, 1, 7)
        )
        #expect(table.table("v")?.location(of: "w") == location(7, 11, 4))
        #expect(root.tables("e").map(\.location) == [location(8, 1, 5), location(9, 1, 5)])
        root.report("m", at: "list", element: 1)
        root.report("m", at: "list", element: 2)
        root.report("m", at: "text", element: 0)
        root.report("m", atKey: "list")
        root.report("m", at: "none")
        #expect(
            file.diagnostics.map(\.location) == [
                location(3, 5, 3), location(2, 10, 14), location(4, 8, 8), location(2, 3, 4),
                Diagnostics.SourceLocation("f"),
            ]
        )
    }

    @Test(arguments: [
        "s3cret", "\"s3cret", "'s3cret", "[s3cret", "{s3cret", "1s3cret", "\"s3\\cret\"",
        "\"x\"\ns3cret", "'''s3cret",
    ])
    func `no mistake shows a value, which may be a secret`(slip: String) {
        let file = SettingsFile(Array("client_secret = \(slip)".utf8), path: "f")
        #expect(file.diagnostics.count == 1)
        #expect(file.diagnostics.allSatisfy { !$0.text(program: "p").contains("cret") })
    }
}
