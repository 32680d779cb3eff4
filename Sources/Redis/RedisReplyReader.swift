/// Reads replies from bytes as they arrive.
///
/// The sender may be anybody who answers at Redis's address, so all lengths are limited.
struct RedisReplyReader {
    /// The greatest length of one reply, its elements included.
    static let maximumBytes = 1 << 18
    private static let maximumLine = 4096
    private static let maximumDepth = 4

    private var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    mutating func append(_ more: some Collection<UInt8>) { bytes += more }

    /// Takes the first reply; `nil` if it has not arrived completely.
    mutating func next() throws(RedisError) -> RedisReply? {
        var index = 0
        guard let reply = try reply(at: &index, depth: 0) else {
            guard bytes.count < Self.maximumBytes else { throw Self.garbage }
            return nil
        }
        bytes.removeFirst(index)
        return reply
    }

    private static let garbage = RedisError("the answer is not in Redis's protocol")

    private func reply(at index: inout Int, depth: Int) throws(RedisError) -> RedisReply? {
        guard index < bytes.count else { return nil }
        let kind = bytes[index]
        guard "+-:$*".utf8.contains(kind) else { throw Self.garbage }
        let rest = bytes[index...].prefix(Self.maximumLine)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            guard rest.count < Self.maximumLine else { throw Self.garbage }
            return nil
        }
        guard end - index >= 2, bytes[end - 1] == UInt8(ascii: "\r") else { throw Self.garbage }
        let line = String(decoding: bytes[index + 1..<end - 1], as: UTF8.self)
        index = end + 1
        switch kind {
        case UInt8(ascii: "+"): return .text(line)
        case UInt8(ascii: "-"): return .refusal(line)
        default: break
        }
        guard let number = Int(line) else { throw Self.garbage }
        if kind == UInt8(ascii: ":") { return .number(number) }
        if number == -1 { return .nothing }
        guard (0..<Self.maximumBytes).contains(number) else { throw Self.garbage }
        if kind == UInt8(ascii: "$") { return try text(of: number, at: &index) }
        guard depth < Self.maximumDepth else { throw Self.garbage }
        var list: [RedisReply] = []
        for _ in 0..<number {
            guard let element = try reply(at: &index, depth: depth + 1) else { return nil }
            list.append(element)
        }
        return .list(list)
    }

    private func text(of length: Int, at index: inout Int) throws(RedisError) -> RedisReply? {
        guard bytes.count - index >= length + 2 else { return nil }
        let end = index + length
        guard bytes[end] == UInt8(ascii: "\r"), bytes[end + 1] == UInt8(ascii: "\n") else {
            throw Self.garbage
        }
        defer { index = end + 2 }
        return .text(String(decoding: bytes[index..<end], as: UTF8.self))
    }
}
