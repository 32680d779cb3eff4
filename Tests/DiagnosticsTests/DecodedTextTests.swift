import Diagnostics
import Testing

/// Files as editors save them.
@Suite struct DecodedTextTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test(
        arguments: [
            ([], ""), (mark, ""), (mark + [0x61], "a"), (mark + mark + [0x61], "a"),
            ([0x61] + mark, "a\u{FEFF}"), ([0x61, 13, 10, 0x62], "a\nb"), ([0x61, 13], "a\n"),
            ([13, 13, 10, 13], "\n\n\n"), ([0xFF, 0xFE, 0xE4, 0, 13, 0, 10, 0], "ä\n"),
            ([0xFE, 0xFF, 0, 0x61], "a"), ([0xFF, 0xFE, 0x3D, 0xD8, 0, 0xDE], "😀"),
            ([0xFF, 0xFE], ""), ([0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0], "a"),
        ] as [([UInt8], String)]
    )
    func `a text is UTF-8 with line feeds and without a mark`(bytes: [UInt8], text: String) {
        let decoded = DecodedText(bytes)
        #expect(decoded.mistake == nil && decoded.utf8 == Array(text.utf8))
    }

    @Test func `a mistake has its place in the file`() throws {
        let mistake = try #require(DecodedText([0x61, 13, 10, 0x62, 0xE9]).mistake)
        let place = "x:2:2: error: is not UTF-8: the byte 0xE9"
        #expect(mistake.diagnostic(in: "x").text(program: "p").hasPrefix(place))
    }
}
