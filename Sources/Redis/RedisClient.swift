import Synchronization

/// A client of one Redis, for any number of threads, with kept connections.
public final class RedisClient: Sendable {
    /// The number of idle connections to keep; further ones are closed after use.
    private static let maximumIdle = 16

    private let server: RedisServer
    private let addresses: HostAddresses?
    private let idle = Mutex<[RedisConnection]>([])

    public init(_ server: RedisServer) {
        self.server = server
        addresses =
            if case .host(let name, _) = server.endpoint { HostAddresses(name) } else { nil }
    }

    /// Sends a command, whose words may contain any bytes, and returns the reply.
    ///
    /// If Redis has closed the connection meanwhile, the command is sent once more on a new one.
    public func send(_ command: [String]) throws(RedisError) -> RedisReply {
        while let connection = idle.withLock({ $0.popLast() }) {
            do {
                let reply = try connection.send(command)
                keep(connection)
                return reply
            } catch {
                // A refusal on a working connection would be repeated.
                guard !connection.isUsable else {
                    keep(connection)
                    throw error
                }
                // The other idle connections are as old as this one.
                idle.withLock { $0.removeAll() }
            }
        }
        let connection = try connect()
        defer { if connection.isUsable { keep(connection) } }
        return try connection.send(command)
    }

    private func connect() throws(RedisError) -> RedisConnection {
        guard case .host(_, let port) = server.endpoint, let addresses else {
            return try RedisConnection(to: server, at: server.endpoint)
        }
        var failure = RedisError("it has no address")
        for address in try addresses.current(waiting: server.timeoutMilliseconds) {
            do { return try RedisConnection(to: server, at: .host(address, port: port)) } catch {
                failure = error
            }
        }
        throw failure
    }

    private func keep(_ connection: RedisConnection) {
        idle.withLock { idle in
            if idle.count < Self.maximumIdle { idle.append(connection) }
        }
    }
}
