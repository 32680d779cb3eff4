import Testing

@testable import YAML

@Suite struct YAMLParserTests {
    /// A node in one line: `[a, 'b', {c@2:3: d}]`, with the place of each key.
    private static func line(_ node: YAMLNode?) -> String {
        switch node?.content {
        case nil: "nothing"
        case .scalar(let text, _, let isText): isText ? "'\(text)'" : text
        case .sequence(let nodes): "[\(nodes.map { line($0) }.joined(separator: ", "))]"
        case .mapping(let pairs):
            "{"
                + pairs.map {
                    "\(line($0.key))@\($0.key.mark.line):\($0.key.mark.column): \(line($0.value))"
                }
                .joined(separator: ", ") + "}"
        }
    }

    @Test(arguments: [
        ("", "nothing"), ("# a comment\n", "nothing"), ("a", "a"), ("\"a\\n\"", "'a\n'"),
        ("[a, 'b', {c: }]", "[a, 'b', {c@1:11: }]"),
        ("a: |\n  b\n  c\né: !!str 5\n", "{a@1:1: 'b\nc\n', é@4:1: '5'}"),
        ("a: &x [1]\nb: *x\n", "{a@1:1: [1], b@2:1: [1]}"),
        ("&a [&b c, *b]", "[c, c]"), ("a: &x 1\nb: &x 2\nc: *x", "{a@1:1: 1, b@2:1: 2, c@3:1: 2}"),
    ])
    func `a document is read with the places of its keys`(yaml: String, line: String) throws {
        #expect(Self.line(try YAMLParser.document(Array(yaml.utf8))) == line)
    }

    @Test(arguments: [
        ("a: b: c", "mapping values are not allowed in this context", 1, 5),
        ("a:\n  - 'b", "found unexpected end of stream (while scanning a quoted scalar)", 2, 7),
        (
            "a: @b",
            "found character that cannot start any token (while scanning for the next token)", 1, 4
        ),
        ("a: *b", "found undefined alias", 1, 4), ("a: &b [*b]", "found undefined alias", 1, 8),
        (
            "--- a\n--- b\n",
            "but found another document (expected a single document in the stream)", 2, 1
        ),
        ("é: a\n é\u{7}: b", "control characters are not allowed", 2, 3),
    ])
    func `a mistake has its place`(yaml: String, problem: String, line: Int, column: Int) {
        let error = #expect(throws: YAMLError.self) {
            try YAMLParser.document(Array(yaml.utf8))
        }
        #expect(error?.problem == problem)
        #expect(error?.mark.line == line && error?.mark.column == column)
    }

    @Test func `a key that is there twice is an error`() {
        let error = #expect(throws: YAMLError.self) {
            try YAMLParser.document(Array("b: 1\na: 2\n\"a\": 3\nc: {d: 4}\nb: 5\n".utf8))
        }
        #expect(error?.repeatedKeys == ["a", "b"] && error?.mark.line == 2)
    }

    @Test func `nesting has a limit`() throws {
        let text = { (depth: Int) in Array(repeating: UInt8(ascii: "["), count: depth) }
        let closed = text(100) + Array(repeating: UInt8(ascii: "]"), count: 100)
        #expect(try YAMLParser.document(closed) != nil)
        for depth in [102, 100_000] {
            #expect(throws: YAMLError.self) { try YAMLParser.document(text(depth)) }
        }
    }

    @Test(
        arguments: [
            ("yes", true, nil), ("Off", false, nil), ("'yes'", nil, nil), ("!!str yes", nil, nil),
            ("1_000.5", nil, 1000.5), ("-1:30", nil, -90), ("+1:00:00", nil, 3600),
            ("1:x", nil, nil),
            ("-.inf", nil, -Double.infinity), ("'5'", nil, nil), ("[5]", nil, nil),
        ] as [(String, Bool?, Double?)]
    )
    func `a word may be more than a text`(yaml: String, bool: Bool?, number: Double?) throws {
        let node = try YAMLParser.document(Array(yaml.utf8))
        #expect(node?.bool == bool && node?.number == number)
    }
}
