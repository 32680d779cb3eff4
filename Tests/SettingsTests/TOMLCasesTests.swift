import Testing

@testable import Settings

/// What TOML 1.0 says of each construct, a line per case.
@Suite struct TOMLCasesTests {
    /// The values as ``ComparedDocument`` writes them, or the mistakes with their places.
    private static func read(_ bytes: [UInt8]) -> String {
        let document = TOMLDocument(bytes)
        if document.mistakes.isEmpty { return ComparedDocument.verdict(document) }
        return document.mistakes.map { mistake in
            let (line, column) = document.source.position(of: mistake.range.lowerBound)
            return "\(line):\(column)+\(mistake.range.count) \(mistake.message)"
        }.joined(separator: "\n")
    }

    @Test(arguments: [
        // Spec, comments, key/value pairs
        ("", "{}"), ("\n\r\n \t\n# only this", "{}"), ("a = 1 # x", "{\"a\":i1}"),
        ("a=1\r\nb=2\r\n", "{\"a\":i1,\"b\":i2}"),
        // Keys
        ("1234 = 1", "{\"1234\":i1}"), ("\"\" = 1", "{\"\":i1}"), ("'\"' = 1", "{\"\\x22\":i1}"),
        ("a . \"b.c\" = 1", "{\"a\":{\"b.c\":i1}}"), ("3.14 = 1", "{\"3\":{\"14\":i1}}"),
        ("a.b = 1\na.c = 2", "{\"a\":{\"b\":i1,\"c\":i2}}"),
        // Canonically equivalent, yet two keys
        ("'\u{E9}' = 1\n'e\u{301}' = 2", "{\"e\\xcc\\x81\":i2,\"\\xc3\\xa9\":i1}"),
        // Strings
        ("a = \"\\b\\t\\n\\f\\r\\\"\\\\\"", "{\"a\":\"\\x08\\x09\\x0a\\x0c\\x0d\\x22\\x5c\"}"),
        ("a = \"\\u00e9\\U0001F600\"", "{\"a\":\"\\xc3\\xa9\\xf0\\x9f\\x98\\x80\"}"),
        ("a = \"\"\"\nb\n\"\"\"", "{\"a\":\"b\\x0a\"}"),
        ("a = \"\"\"\r\nb\r\n\"\"\"", "{\"a\":\"b\\x0a\"}"),
        ("a = \"\"\"b \\  \n\n  c\"\"\"", "{\"a\":\"b c\"}"),
        ("a = \"\"\"\"b\"\"\"\"\"", "{\"a\":\"\\x22b\\x22\\x22\"}"),
        ("a = 'C:\\x'", "{\"a\":\"C:\\x5cx\"}"), ("a = '''\n\\n'''", "{\"a\":\"\\x5cn\"}"),
        // Numbers
        ("a = +1_000", "{\"a\":i1000}"), ("a = -0", "{\"a\":i0}"), ("a = 0x00fF", "{\"a\":i255}"),
        ("a = 0o17", "{\"a\":i15}"), ("a = 0b1_0", "{\"a\":i2}"),
        ("a = 9223372036854775807", "{\"a\":i9223372036854775807}"),
        ("a = -9223372036854775808", "{\"a\":i-9223372036854775808}"),
        ("a = 1e0_2", "{\"a\":f4059000000000000}"), ("a = -0.0", "{\"a\":f8000000000000000}"),
        ("a = -inf", "{\"a\":ffff0000000000000}"), ("a = +nan", "{\"a\":fnan}"),
        // Dates: with leap seconds and the year 0, which tomllib does not have
        ("a = 2026-11-22t07:32:00z", "{\"a\":d2026-11-22T07:32:00+00:00}"),
        ("a = 2026-11-22 07:32:00.120-08:00", "{\"a\":d2026-11-22T07:32:00.12-08:00}"),
        ("a = 2016-12-31T23:59:60Z", "{\"a\":d2016-12-31T23:59:60+00:00}"),
        ("a = 0000-01-01", "{\"a\":d0000-01-01}"), ("a = 07:32:00", "{\"a\":d07:32:00}"),
        ("a = 2026-11-22 # noon", "{\"a\":d2026-11-22}"),
        // Arrays and inline tables
        ("a = [1, 'x', # c\n [],\n]", "{\"a\":[i1,\"x\",[]]}"),
        ("a = { b.c = 1, b.d = { } }", "{\"a\":{\"b\":{\"c\":i1,\"d\":{}}}}"),
        ("a = { b = [\n1\n], c = '''\n''' }", "{\"a\":{\"b\":[i1],\"c\":\"\"}}"),
        // Tables
        ("[a.b.c]\n[a]\nx = 1", "{\"a\":{\"b\":{\"c\":{}},\"x\":i1}}"),
        ("[a]\nb.c = 1\n[a.b.d]\n[a.e]", "{\"a\":{\"b\":{\"c\":i1,\"d\":{}},\"e\":{}}}"),
        ("[[a]]\n[a.b]\n[[a]]\n[a.b]", "{\"a\":[{\"b\":{}},{\"b\":{}}]}"),
        ("[[a.b]]\nx = 1\n[a]\ny = 2", "{\"a\":{\"b\":[{\"x\":i1}],\"y\":i2}}"),
        ("[ a . 'b' ]\n[[ c ]]", "{\"a\":{\"b\":{}},\"c\":[{}]}"),
    ])
    func `this is TOML`(text: String, values: String) {
        #expect(Self.read(Array(text.utf8)) == values)
    }

    @Test(arguments: [
        ("= 1", "1:1+1 a key is missing; found '='"),
        ("a", "1:2+1 '=' is missing after the key; found the end of the text"),
        ("a: 1", "1:2+1 '=' is missing after the key; found ':'"),
        ("a =", "1:4+1 a value is missing; found the end of the text"),
        ("a = \nb = 1", "1:5+1 a value is missing; found the end of the line"),
        ("a = 1 b = 2", "1:7+1 the line must end here; found 'b'"),
        ("a = x", "1:5+1 this is not a value; a string needs quotes"),
        ("a = True", "1:5+4 this is not a value; a string needs quotes"),
        ("a.= 1", "1:3+1 a key is missing; found '='"),
        (
            "caf\u{E9} = 1",
            "1:4+1 a key without quotes consists of letters from A to Z, digits, '_' and '-'; found '\u{E9}'"
        ),
        (
            "\u{A0}a = 1",
            "1:1+1 a key without quotes consists of letters from A to Z, digits, '_' and '-'; found U+00A0"
        ),
        // Strings
        ("a = \"x", "1:5+2 the string is not closed: '\"' is missing"),
        ("a = 'x\n'", "1:5+2 the string is not closed: \"'\" is missing\n2:1"),
        ("a = \"\"\"x\"\"", "1:5+3 the string is not closed: \"\"\" is missing"),
        ("a = \"C:\\x\"", "1:8+1 unknown escape"),
        ("a = \"\\u12\"", "1:6+4 this escape needs 4 hexadecimal digits; found '\"'"),
        ("a = \"\\uD800\"", "1:6+6 this escape is not a Unicode character"),
        ("a = \"\\U00110000\"", "1:6+10 this escape is not a Unicode character"),
        ("a = \"\"\"x\"\"\"\"\"\"", "1:14+1 the line must end here; found '\"'"),
        ("\"\"\"a\"\"\" = 1", "1:3+1 '=' is missing after the key; found '\"'"),
        // Numbers
        ("a = 01", "1:5+2 a number must not begin with 0"),
        ("a = 1__0", "1:5+4 this is not a number"), ("a = 1_", "1:5+2 this is not a number"),
        ("a = _1", "1:5+2 this is not a value"), ("a = 1.", "1:5+2 this is not a number"),
        ("a = .5", "1:5+2 this is not a value"), ("a = +0x1", "1:5+4 this is not a number"),
        ("a = 0X1", "1:5+3 this is not a number"), ("a = --1", "1:5+3 this is not a number"),
        ("a = 9223372036854775808", "1:5+19 a whole number must be from -2^63 to 2^63 - 1"),
        ("a = 0x8000000000000000", "1:5+18 a whole number must be from -2^63 to 2^63 - 1"),
        // Dates
        ("a = 2026-13-01", "1:5+10 there is no month 13"),
        ("a = 2025-02-29", "1:5+10 that month has no day 29"),
        ("a = 2026-1-01", "1:5+9 a date is written as 2026-11-22"),
        ("a = 10:30", "1:5+5 a time is written as 10:30:00"),
        ("a = 24:00:00", "1:5+8 a time is written as 10:30:00"),
        ("a = 2026-11-22T10:30:00+0100", "1:5+24 a time is written as 10:30:00"),
        ("a = 2026-11-22T10:30:00+25:00", "1:5+25 a time is written as 10:30:00"),
        ("a = 2026-11-22T10:30:00-01:60", "1:5+25 a time is written as 10:30:00"),
        ("a = 10:30:00Z", "1:5+9 a time is written as 10:30:00"),
        ("a = 2026-11-22 10:30", "1:5+16 a time is written as 10:30:00"),
        // Arrays and inline tables
        ("a = [1 2]", "1:8+1 ',' or ']' is missing in a list; found '2'"),
        ("a = [1,,2]", "1:8+1 a value is missing; found ','"),
        ("a = [1\nb = 2", "2:1+1 ',' or ']' is missing in a list; found 'b'"),
        ("a = [1,", "1:5+1 ']' is missing: the list is not closed"),
        ("a = { b = 1, }", "1:14+1 an inline table must not end with ','"),
        ("a = { b = 1\n}", "1:12+1 ',' or '}' is missing in an inline table; found the end"),
        ("a = {\n}", "1:5+1 '}' is missing: an inline table ends on the line where it begins"),
        // Tables, and what is defined twice
        ("[a", "1:3+1 ']' is missing after the name of the table; found the end of the text"),
        ("[[a]", "1:5+1 ']]' is missing after the name of the table; found the end of the text"),
        ("[]", "1:2+1 a key is missing; found ']'"), ("[a.]", "1:4+1 a key is missing; found ']'"),
        ("[a] b = 1", "1:5+1 the line must end here; found 'b'"),
        ("a = 1\na = 2", "2:1+1 'a' is defined twice"),
        ("a = 1\n\"\\u0061\" = 2", "2:1+8 'a' is defined twice"),
        ("[a]\n[a]", "2:1+3 'a' is defined twice"),
        ("a = 1\n[a]", "2:1+3 'a' is defined twice"),
        ("a.b = 1\n[a]", "2:1+3 'a' is defined twice"),
        ("a = {}\n[a.b]", "2:1+5 'a' is an inline table, which cannot be extended"),
        ("a = {}\na.b = 1", "2:1+1 'a' is already defined; a dotted key cannot extend it"),
        ("a = { b = {}, b.c = 1 }", "1:15+1 'b' is already defined"),
        ("a = 'x'\n[a.b]", "2:1+5 'a' is a string and cannot hold a table"),
        ("a = []\n[[a]]", "2:1+5 'a' is already defined, but not as [[a]]"),
        ("[a]\n[[a]]", "2:1+5 'a' is already defined, but not as [[a]]"),
        ("[[a]]\n[a]", "2:1+3 'a' is a list of tables; its header is written as [[a]]"),
        ("[a.b]\n[a]\nb.c = 1", "3:1+1 'b' is already defined; a dotted key cannot extend it"),
        // Control characters
        ("a = 1\n\0b = 2", "2:1+1 it contains the control character U+0000"),
        ("# \u{1F}", "1:3+1 it contains the control character U+001F"),
        ("a = '\u{7F}'", "1:6+1 it contains the control character U+007F"),
        (
            "a = 1\rb = 2",
            "1:6+1 a carriage return is not followed by a line feed; lines end with LF or CRLF"
        ),
    ])
    func `a text that is not TOML has a mistake at its location`(text: String, start: String) {
        let read = Self.read(Array(text.utf8)).replacing("is not TOML: ", with: "")
        #expect(read.hasPrefix(start), "\(read)")
    }

    @Test func `several mistakes are reported at once`() {
        let text = """
            a = 1
            b = x
            a = 2
            [t
            a = 3
            a = 4
            c = [ 1 ] 2
            [u]
            d = [1
            e = 2
            f = y
            """
        // Below a header that cannot be read 'a' may be right, and in a list all may be.
        let lines = Self.read(Array(text.utf8)).split(separator: "\n").map { $0.prefix(4) }
        #expect(lines == ["2:5+", "3:1+", "4:3+", "7:11", "10:1"])
    }

    @Test func `the number of mistakes is limited`() {
        let text = String(repeating: "what is this?\n", count: 1000)
        #expect(TOMLDocument(Array(text.utf8)).mistakes.count == TOMLMistake.limit)
        let zeros = TOMLDocument(Array(repeating: 0, count: 1000))
        #expect(zeros.mistakes.count == TOMLMistake.limit)
    }

    @Test(arguments: [
        ("a = " + String(repeating: "[", count: 101), false),
        (
            "a = " + String(repeating: "[", count: 99) + String(repeating: "]", count: 99),
            true
        ),
        ("a = " + String(repeating: "{a = ", count: 101), false),
        ("[a" + String(repeating: ".a", count: 100) + "]", false),
        ("[a" + String(repeating: ".a", count: 99) + "]", true),
        (
            "[a" + String(repeating: ".a", count: 60) + "]\nb" + String(repeating: ".a", count: 60)
                + " = 1", false
        ),
        ("a = " + String(repeating: "[", count: 100_000), false),
    ])
    func `nesting is bounded`(text: String, isFine: Bool) {
        let mistakes = TOMLDocument(Array(text.utf8)).mistakes
        #expect(mistakes.isEmpty == isFine)
        #expect(isFine || mistakes[0].message.contains("more than 100 levels"))
    }
}
