import Testing

@testable import Jansson

@Suite struct JSONTests {
    @Test func `a text comes back as it was, members in their order`() throws {
        let text = #"{"b":[1,-2,0.5,true,false,null,"a\"\\\u0001é漢"],"a":{}}"#
        #expect(try JSON(parsing: Array(text.utf8)).text == text)
    }

    /// What two readers might read in two ways.
    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, "1 2", "nul",
        // To Swift, the sign for kelvin is the letter.
        "{\"K\":1,\"\u{212A}\":2}",
        "\"\\u0000\"", "\"\\ud800\"", "1e999", "123456789012345678901234567890", "01", "'a'", "NaN",
        "\u{FEFF}{}", "\"a\nb\"", String(repeating: "[", count: 100_000),
    ])
    func `what is no plain JSON is refused`(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        for bytes: [UInt8] in [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
        ] {
            #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
        }
    }

    @Test func `an integer is one only as it is written`() throws {
        #expect(try JSON(parsing: Array("1.0".utf8)).integer == nil)
        #expect(try JSON(parsing: Array("1e3".utf8)).integer == nil)
        #expect(try JSON(parsing: Array("-7".utf8)).integer == -7)
    }

    @Test func `a string with a NUL is written whole`() {
        #expect(JSON.string("a\0b").text == #""a\u0000b""#)
    }
}
