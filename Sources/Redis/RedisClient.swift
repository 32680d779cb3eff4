import POSIX
import Synchronization

/// A client of one Redis, or of the primary among several, for any number of threads, with kept
/// connections.
///
/// A server proves with each answer that it is a primary (`ROLE`): a replica may lack what the
/// primary has confirmed.
public final class RedisClient: Sendable {
    /// The number of idle connections to keep; further ones are closed after use.
    private static let maximumIdle = 16
    /// Milliseconds in which all servers are asked who is the primary, each for its part.
    private static let searchLimit = 1000
    /// Nanoseconds for which nobody connects again after a failure.
    private static let pause: UInt64 = 500_000_000

    private struct Server: Sendable {
        let server: RedisServer
        let addresses: HostAddresses?
    }

    private struct State {
        var idle: [RedisConnection] = []
        /// The index of the primary; `nil` until it is known.
        var primary: Int?
        /// Counts how often a primary was found.
        var generation = 0
        var failure: (error: RedisError, at: UInt64)?
    }

    private let servers: [Server]
    private let tls: TLSContext?
    private let state = Mutex(State())
    /// Held while the primary is looked for, which one thread does for all.
    private let search = Mutex(())

    public init(_ servers: [RedisServer], _ settings: TLSSettings? = nil) throws(RedisError) {
        self.servers = servers.map { server in
            if case .host(let name, _) = server.endpoint {
                return Server(server: server, addresses: HostAddresses(name))
            }
            return Server(server: server, addresses: nil)
        }
        tls =
            servers.contains(where: \.isEncrypted)
            ? try TLSContext(settings ?? TLSSettings()) : nil
    }

    /// Sends commands, whose words may contain any bytes, at once, and returns the replies.
    ///
    /// If Redis has closed the connection meanwhile, or is no primary any more, the commands are
    /// sent once more on a new connection.
    ///
    /// - Returns: the replies, and a number that changes whenever a primary was found anew: it may
    ///   be another server, or have lost data.
    public func send(
        _ commands: [[String]]
    ) throws(RedisError) -> (replies: [RedisReply], generation: Int) {
        let (kept, generation) = state.withLock { ($0.idle.popLast(), $0.generation) }
        if let kept {
            do throws(RedisError) { return try send(commands, on: kept, generation) } catch {}
        }
        let (connection, current) = try connect()
        return try send(commands, on: connection, current)
    }

    private func send(
        _ commands: [[String]],
        on connection: RedisConnection,
        _ generation: Int
    ) throws(RedisError) -> (replies: [RedisReply], generation: Int) {
        do throws(RedisError) {
            var replies = try connection.send(commands + [["ROLE"]])
            try Self.requirePrimary(replies.removeLast())
            state.withLock { state in
                guard state.generation == generation, connection.isUsable else { return }
                if state.idle.count < Self.maximumIdle { state.idle.append(connection) }
            }
            return (replies, generation)
        } catch {
            // The other idle connections are as old as this one.
            state.withLock { state in
                guard state.generation == generation else { return }
                (state.idle, state.primary) = ([], nil)
            }
            throw error
        }
    }

    private static func requirePrimary(_ role: RedisReply) throws(RedisError) {
        if let refusal = role.refusal { throw RedisError("it does not tell its role: \(refusal)") }
        guard role.list?.first?.text == "master" else { throw RedisError("it is a replica") }
    }

    private func connect() throws(RedisError) -> (RedisConnection, generation: Int) {
        if let connection = try connectToPrimary() { return connection }
        return try search.withLock { _ throws(RedisError) in
            // Another thread may have found it meanwhile, or failed.
            if let connection = try connectToPrimary() { return connection }
            do throws(RedisError) {
                let (index, connection) = try findPrimary()
                let generation = state.withLock { state in
                    (state.primary, state.failure) = (index, nil)
                    state.generation += 1
                    return state.generation
                }
                return (connection, generation)
            } catch {
                state.withLock { $0.failure = (error, Host.uptimeNanoseconds) }
                throw error
            }
        }
    }

    private func connectToPrimary() throws(RedisError) -> (RedisConnection, generation: Int)? {
        let (primary, generation, failure) = state.withLock {
            ($0.primary, $0.generation, $0.failure)
        }
        if let primary {
            let server = servers[primary]
            let limit = 2 * server.server.timeoutMilliseconds
            if let connection = try? open(server, within: limit).connection {
                return (connection, generation)
            }
            state.withLock { state in
                if state.generation == generation { (state.idle, state.primary) = ([], nil) }
            }
        } else if let failure, Host.uptimeNanoseconds - failure.at < Self.pause {
            throw failure.error
        }
        return nil
    }

    /// Asks all servers, because one that was the primary before may not know yet that it is none
    /// any more.
    private func findPrimary() throws(RedisError) -> (Int, RedisConnection) {
        var found: [(index: Int, connection: RedisConnection)] = []
        var problems: [String] = []
        for (index, server) in servers.enumerated() {
            do throws(RedisError) {
                let limit = 2 * server.server.timeoutMilliseconds
                let (connection, deadline) = try open(
                    server,
                    within: min(limit, Self.searchLimit / servers.count)
                )
                try Self.requirePrimary(try connection.send([["ROLE"]], until: deadline)[0])
                found.append((index, connection))
            } catch {
                problems.append("\(server.server.name): \(error)")
            }
        }
        guard let first = found.first else {
            throw RedisError(problems.joined(separator: "; "))
        }
        guard found.count == 1 else {
            let names = found.map { servers[$0.index].server.name }.joined(separator: " and ")
            throw RedisError("\(names) are both primaries; one of them must be a replica")
        }
        return first
    }

    /// - Parameter milliseconds: the limit for all addresses of the server together.
    /// - Returns: the connection, and the time at which this limit ends.
    private func open(
        _ server: Server,
        within milliseconds: Int
    ) throws(RedisError) -> (connection: RedisConnection, deadline: UInt64) {
        let limit = UInt64(milliseconds) * 1_000_000
        let deadline = Host.uptimeNanoseconds + limit
        let endpoint = server.server.endpoint
        guard case .host(_, let port) = endpoint, let addresses = server.addresses else {
            let connection = try RedisConnection(to: server.server, at: endpoint, tls, deadline)
            return (connection, deadline)
        }
        var failure = RedisError("it has no address")
        let found = try addresses.current(waiting: server.server.timeoutMilliseconds)
        for (index, address) in found.enumerated() {
            // One that does not answer leaves the others their part.
            let part = deadline - limit / UInt64(found.count) * UInt64(found.count - 1 - index)
            do throws(RedisError) {
                let endpoint = RedisServer.Endpoint.host(address, port: port)
                let connection = try RedisConnection(to: server.server, at: endpoint, tls, part)
                return (connection, deadline)
            } catch { failure = error }
        }
        throw failure
    }
}
