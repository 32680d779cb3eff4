import POSIX

/// A connection to Redis, for one thread at a time.
final class RedisConnection: @unchecked Sendable {
    private let server: RedisServer
    private let stream: ByteStream
    private var reader = RedisReplyReader()
    /// Whether the connection can be used again; not after a transport error.
    private(set) var isUsable = true

    /// Connects, encrypts and signs in.
    ///
    /// - Parameters:
    ///   - endpoint: the server's endpoint with a numeric address.
    ///   - deadline: of ``Host/uptimeNanoseconds``.
    init(
        to server: RedisServer,
        at endpoint: RedisServer.Endpoint,
        _ tls: TLSContext?,
        _ deadline: UInt64
    ) throws(RedisError) {
        self.server = server
        stream = try ByteStream(to: endpoint, until: deadline)
        if server.isEncrypted, case .host(let name, _) = server.endpoint, let tls {
            try stream.encrypt(as: name, with: tls, until: deadline)
        }
        var commands: [[String]] = []
        if !server.password.isEmpty {
            let names = server.user.isEmpty ? [] : [server.user]
            commands.append(["AUTH"] + names + [server.password])
        }
        if server.database != 0 { commands.append(["SELECT", "\(server.database)"]) }
        guard !commands.isEmpty else { return }
        let refusal = try exchange(commands, until: deadline).compactMap(\.refusal).first
        if let refusal { throw RedisError(refusal) }
    }

    /// Sends commands at once and returns their replies, one for each.
    ///
    /// - Parameter deadline: `nil` is the time limit of a round trip.
    func send(
        _ commands: [[String]],
        until deadline: UInt64? = nil
    ) throws(RedisError) -> [RedisReply] {
        let limit = Host.uptimeNanoseconds + UInt64(server.timeoutMilliseconds) * 1_000_000
        return try exchange(commands, until: min(deadline ?? limit, limit))
    }

    private func exchange(
        _ commands: [[String]],
        until deadline: UInt64
    ) throws(RedisError) -> [RedisReply] {
        isUsable = false
        var bytes: [UInt8] = []
        for command in commands {
            bytes += Array("*\(command.count)\r\n".utf8)
            for word in command { bytes += Array("$\(word.utf8.count)\r\n\(word)\r\n".utf8) }
        }
        try stream.send(bytes, until: deadline)
        var replies: [RedisReply] = []
        while replies.count < commands.count {
            if let reply = try reader.next() {
                replies.append(reply)
            } else {
                reader.append(try stream.receive(until: deadline))
            }
        }
        // A further reply would be taken for that of the next command.
        isUsable = reader.isEmpty
        return replies
    }
}
