import Fixtures
import Foundation
import Testing

@testable import Redis

private let program = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

extension RedisClient {
    /// Sends one command; a refusal is an error.
    fileprivate func ask(_ command: [String]) throws -> RedisReply {
        let reply = try send([command]).replies[0]
        if let refusal = reply.refusal { throw RedisError(refusal) }
        return reply
    }
}

/// Against Debian's redis-server on a socket of its own.
@Suite(.serialized, .enabled(if: program != nil)) struct RedisClientTests {
    private static func withServer(
        _ options: [String] = [],
        _ body: (RedisServer.Endpoint, () throws -> Void) throws -> Void
    ) throws {
        // A command to a server that has gone is an error of the write, as in the programs.
        signal(SIGPIPE, SIG_IGN)
        let folder = try TemporaryFolder()
        let path = folder.path("s")
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments =
            ["--port", "0", "--unixsocket", path, "--dir", folder.path, "--save", ""] + options
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // It inherits a mask in which SIGTERM is blocked.
        func stop() {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        defer { stop() }
        for _ in 0..<3000 where !FileManager.default.fileExists(atPath: path) { usleep(20_000) }
        try body(.socket(path: path), stop)
    }

    @Test func `what is set is there, for any words, until it is lost`() throws {
        try Self.withServer { endpoint, stop in
            let client = try RedisClient([
                RedisServer(endpoint: endpoint, timeoutMilliseconds: 10_000)
            ])
            let word = "a b\r\n\"*3 ü"
            #expect(try client.ask(["SET", word, word, "EX", "100"]) == .text("OK"))
            #expect(try client.ask(["MGET", word, "none"]) == .list([.text(word), .nothing]))
            #expect(try client.ask(["INCR", "n"]) == .number(1))
            #expect(throws: RedisError.self) { try client.ask(["INCR", word]) }
            #expect(try client.ask(["INCR", "n"]) == .number(2))
            try stop()
            #expect(throws: RedisError.self) { try client.ask(["GET", word]) }
        }
    }

    @Test func `threads do not mix up their answers`() throws {
        try Self.withServer { endpoint, _ in
            let client = try RedisClient([
                RedisServer(endpoint: endpoint, timeoutMilliseconds: 10_000)
            ])
            DispatchQueue.concurrentPerform(iterations: 400) { number in
                let reply = try? client.ask(["ECHO", "\(number)"])
                if reply != .text("\(number)") {
                    Issue.record("\(number): \(String(describing: reply))")
                }
            }
        }
    }

    @Test func `a password is asked for and given`() throws {
        try Self.withServer(["--requirepass", "very secret"]) { endpoint, _ in
            let stranger = try RedisClient([
                RedisServer(endpoint: endpoint, timeoutMilliseconds: 10_000)
            ])
            #expect(throws: RedisError.self) { try stranger.ask(["GET", "a"]) }
            let wrong = try RedisClient([RedisServer(endpoint: endpoint, password: "other")])
            #expect(throws: RedisError.self) { try wrong.ask(["GET", "a"]) }
            let known = try RedisClient([
                RedisServer(
                    endpoint: endpoint,
                    user: "default",
                    password: "very secret",
                    database: 3
                )
            ])
            let reply = try known.ask(["GET", "a"])
            #expect(reply == .nothing)
        }
    }

    @Test func `one that hangs is told as that`() throws {
        try Self.withServer { endpoint, _ in
            let client = try RedisClient([
                RedisServer(endpoint: endpoint, timeoutMilliseconds: 100)
            ])
            #expect(throws: RedisError("Redis did not answer in time")) {
                try client.ask(["CLIENT", "PAUSE", "3000"])
            }
        }
    }

    @Test func `one that does not answer is given up in time`() throws {
        let start = ContinuousClock.now
        // A network that leads nowhere (RFC 5737).
        let server = RedisServer(endpoint: .host("192.0.2.1", port: 6379), timeoutMilliseconds: 200)
        #expect(throws: RedisError.self) { try RedisClient([server]).ask(["GET", "a"]) }
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
