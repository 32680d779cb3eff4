import Testing

@testable import Redis

@Suite struct RedisReplyReaderTests {
    private static func read(_ text: String) throws -> RedisReply? {
        var reader = RedisReplyReader()
        reader.append(text.utf8)
        return try reader.next()
    }

    @Test(arguments: [
        ("+OK\r\n", RedisReply.text("OK")), ("-ERR no\r\n", .refusal("ERR no")),
        (":-12\r\n", .number(-12)), ("$-1\r\n", .nothing), ("*-1\r\n", .nothing),
        ("$0\r\n\r\n", .text("")), ("$4\r\na\r\nb\r\n", .text("a\r\nb")), ("*0\r\n", .list([])),
        ("*2\r\n*1\r\n$1\r\na\r\n$-1\r\n", .list([.list([.text("a")]), .nothing])),
    ])
    func `a reply is read when its last byte has arrived`(text: String, reply: RedisReply) throws {
        var reader = RedisReplyReader()
        for byte in text.utf8.dropLast() {
            reader.append([byte])
            #expect(try reader.next() == nil)
        }
        reader.append(text.utf8.suffix(1))
        #expect(try reader.next() == reply)
        #expect(reader.isEmpty)
    }

    @Test func `a second reply waits for its turn`() throws {
        var reader = RedisReplyReader()
        reader.append(":1\r\n:2\r\n:".utf8)
        #expect(try reader.next() == .number(1))
        #expect(try reader.next() == .number(2))
        #expect(try reader.next() == nil)
        #expect(!reader.isEmpty)
    }

    @Test(arguments: [
        "HTTP/1.1 400 Bad Request\r\n", "\u{15}\u{3}\u{1}", "\r\n", "$x\r\n", "$-2\r\n",
        ":1\n", ":9999999999999999999\r\n", "$9000000\r\n", "*9000000\r\n", "$1\r\nab\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
    ])
    func `what is no reply is refused at once`(text: String) {
        #expect(throws: RedisError.self) { try Self.read(text) }
    }

    @Test(arguments: [
        ("+", "a"), ("*1\r\n$262100\r\n", "a"), ("*200000\r\n", "$-1\r\n"),
    ])
    func `a reply without an end is given up`(start: String, part: String) throws {
        var reader = RedisReplyReader()
        reader.append(start.utf8)
        #expect(throws: RedisError.self) {
            for _ in 0..<30 where try reader.next() == nil {
                reader.append(String(repeating: part, count: 10_000).utf8)
            }
        }
    }
}
