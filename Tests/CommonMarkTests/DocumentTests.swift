import Testing

@testable import CommonMark

@Suite struct DocumentTests {
    private static func places(_ markdown: String, _ kind: Node.Kind) -> [String] {
        var places: [String] = []
        Document(Array(markdown.utf8)).walk { node, entering in
            if entering, node.kind == kind { places.append("\(node.line):\(node.column)") }
        }
        return places
    }

    @Test func `links know their places, in lists, quotes and long paragraphs too`() {
        #expect(Self.places("a [b](c) d\n[e](f)", .link) == ["1:3", "2:1"])
        #expect(Self.places("# H\n\n- x\n- [b](c)\n", .link) == ["4:3"])
        #expect(Self.places("> a\n> b [c](d)\n", .link) == ["2:5"])
        #expect(Self.places("ä [b](c)", .link) == ["1:4"])
        // After a code span of two lines, and where the link itself is of two.
        #expect(Self.places("a `b\nc` [d](e)", .link) == ["2:4"])
        #expect(Self.places("a [b\nc](d)", .link) == ["1:3"])
    }

    @Test func `ten thousand nested quotes need no stack`() {
        var depth = 0
        Document(Array(String(repeating: "> ", count: 10_000).utf8) + [97]).walk { node, entering in
            if entering, node.kind == .blockQuote { depth += 1 }
        }
        #expect(depth > 0)
    }

    @Test func `broken text and NUL become U+FFFD`() {
        var text = ""
        Document([97, 0xFF, 98, 0, 99]).walk { node, entering in
            if entering { text += node.literal }
        }
        #expect(text == "a\u{FFFD}b\u{FFFD}c")
    }

    @Test func `an empty document is one`() {
        var count = 0
        Document([]).walk { _, _ in count += 1 }
        #expect(count == 2)
    }
}
