import Diagnostics
import Testing

@testable import Settings

/// Random texts: nothing traps, and every mistake has its place in the text.
@Suite struct TOMLFuzzTests {
    /// SplitMix64: the same numbers each time.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// Reads a text, asks for everything in it, and checks what all documents have in common.
    private static func check(_ bytes: [UInt8]) {
        let document = TOMLDocument(bytes)
        #expect(document.mistakes.count <= TOMLMistake.limit)
        for mistake in document.mistakes {
            let range = mistake.range
            let isInside = range.lowerBound >= 0 && range.lowerBound <= bytes.count
            #expect(isInside && range.upperBound <= bytes.count + 1, "\(bytes)")
            #expect(!mistake.message.isEmpty)
        }
        if !document.mistakes.isEmpty { #expect(document.root.entries.isEmpty) }
        let file = SettingsFile(bytes, path: "f.toml")
        for entry in file.root.entries { visit(entry) }
        for key in file.root.keys {
            _ = file.root.strings(key)
            _ = file.root.tables(key).map(\.keys)
            _ = file.root.table(key)?.keys
        }
        file.root.refuseUnknownKeys()
        #expect(file.diagnostics.allSatisfy { $0.location?.path == "f.toml" })
    }

    private static func visit(_ entry: SettingsValue.Entry) {
        #expect(entry.keyLocation.line >= 1 && entry.value.location.column >= 1)
        switch entry.value.content {
        case .table(let entries): entries.forEach(visit)
        default: break
        }
    }

    @Test func `random bytes`() {
        var random = Random(state: 1)
        let letters = Array("\"'[]{}=.,#\n\r \t\\_-+:0123456789abeftuxnTZ\0\u{7F}é".utf8)
        for _ in 0..<4000 {
            let count = Int.random(in: 0..<40, using: &random)
            let isAny = Bool.random(using: &random)
            Self.check(
                (0..<count).map { _ in
                    isAny
                        ? UInt8.random(in: 0...255, using: &random)
                        : letters.randomElement(using: &random) ?? 0
                }
            )
        }
    }

    @Test func `documents with damaged bytes`() throws {
        var random = Random(state: 2)
        let documents = try ComparedDocument.read().prefix(2500)
        for document in documents where !document.bytes.isEmpty {
            var bytes = document.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let position = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: position)
                default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: position)
                }
            }
            Self.check(bytes)
        }
    }

    @Test func `documents cut off at each byte`() {
        let text = """
            a."b c" = [1, 0x1F, -2.5e3, inf, 2026-11-22T10:30:00.5+01:00, { x.y = 'z', "w" = true }]
            [[t]] # comment
            "\\u00e9" = \"\"\"\n"quoted" \\\n  on\"\"\"
            [t.u]
            v = '''literal'''
            """
        for count in 0...text.utf8.count { Self.check(Array(text.utf8.prefix(count))) }
    }
}
