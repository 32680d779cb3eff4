import Synchronization

/// Speaks with one Redis, from any number of threads, over connections that it keeps.
public final class RedisClient: Sendable {
    /// More are closed after use.
    private static let maximumIdle = 16

    private let server: RedisServer
    private let addresses: HostAddresses?
    private let idle = Mutex<[RedisConnection]>([])

    public init(_ server: RedisServer) {
        self.server = server
        addresses =
            if case .host(let name, _) = server.endpoint { HostAddresses(name) } else { nil }
    }

    /// Sends a command, whose words may hold anything, and returns the answer.
    ///
    /// A connection that Redis has closed meanwhile is replaced once, without a word.
    public func send(_ command: [String]) throws(RedisError) -> RedisReply {
        while let connection = idle.withLock({ $0.popLast() }) {
            do {
                let reply = try connection.send(command)
                keep(connection)
                return reply
            } catch {
                // What Redis refuses on a sound line it would refuse again.
                guard !connection.isUsable else {
                    keep(connection)
                    throw error
                }
                // The others are as old as this one.
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
