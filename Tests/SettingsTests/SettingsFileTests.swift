import Diagnostics
import Testing

@testable import Settings

@Suite struct SettingsFileTests {
    @Test func `values are read, and mistakes told at their places`() {
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
                "f.toml:2:1: error: 'count' is a string; it must be a whole number\n",
                "f.toml:5:1: error: 'names' is a list; it must be a list of strings\n",
                "f.toml:6:3: error: unknown key 'oen' in [group]; did you mean 'one'?\n",
                "f.toml:11:1: error: 'a' is true or false; it must be a whole number\n",
            ]
        )
    }

    @Test(arguments: ["a = ", "= 1", "[x", "a = 1\na = 2", "\u{FFFE}"])
    func `what is no TOML is one mistake with a place`(text: String) {
        let file = SettingsFile(Array(text.utf8), path: "f.toml")
        #expect(file.diagnostics.count == 1)
        #expect(file.diagnostics.first?.place?.path == "f.toml")
    }

    @Test func `bytes that are not UTF-8 are told as that`() {
        let file = SettingsFile([0x61, 0xFF], path: "f.toml")
        #expect(file.diagnostics.first?.message == "is not UTF-8 text")
    }
}
