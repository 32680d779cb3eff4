import Fixtures
import Foundation
import HTTPTypes
import POSIX
import Testing

@testable import FastCGI

#if canImport(Glibc)
    import Glibc
#endif

/// A FastCGI client that says exactly what it is told to say.
private struct Client {
    let descriptor: Int32

    init?(_ path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0 { return nil }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
    }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// All that comes until the server closes.
    func receive() -> String {
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += buffer.prefix(count)
        }
    }

    static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [1, type, 0, 1, UInt8(content.count >> 8), UInt8(content.count & 255), 0, 0] + content
    }

    static func request(
        _ variables: [(String, String)],
        _ body: String = "",
        keepsConnection: Bool = false
    ) -> [UInt8] {
        var parameters: [UInt8] = []
        for (name, value) in variables {
            for length in [name.utf8.count, value.utf8.count] {
                if length < 128 {
                    parameters.append(UInt8(length))
                } else {
                    parameters += [UInt8(length >> 24) | 128, UInt8(length >> 16 & 255)]
                    parameters += [UInt8(length >> 8 & 255), UInt8(length & 255)]
                }
            }
            parameters += Array(name.utf8) + Array(value.utf8)
        }
        var bytes = record(1, [0, 1, keepsConnection ? 1 : 0, 0, 0, 0, 0, 0])
        for start in stride(from: 0, to: parameters.count, by: 60_000) {
            bytes += record(4, Array(parameters[start..<min(start + 60_000, parameters.count)]))
        }
        let content = body.isEmpty ? [] : record(5, Array(body.utf8))
        return bytes + record(4, []) + content + record(5, [])
    }
}

@Suite struct ServerTests {
    private static func withServer(
        threads: Int = 2,
        pool: WorkerPool = WorkerPool(threads: 2, maximumWaiting: 2),
        gate: Monitor<Int> = Monitor(0),
        _ body: (String, Server) throws -> Void
    ) throws {
        // A client that has gone is an error of the write, as in the programs.
        Signals.ignoreBrokenPipes()
        let folder = try TemporaryFolder()
        let path = folder.path("s.sock")
        let server = Server(try ListeningSocket(at: path), threads: threads) { exchange in
            if exchange.variable("SLOW") != nil { Host.sleep(milliseconds: 300) }
            var response = HTTPResponse(status: .ok)
            response.headerFields[.contentType] = "text/plain"
            let cookie = exchange.headerFields[.cookie] ?? "-"
            let content = exchange.body(maximumBytes: 10).map {
                String(decoding: $0, as: UTF8.self)
            }
            let text = "\(exchange.variable("A") ?? "-")|\(cookie)|\(content ?? "refused")"
            let answer: Reply.Answer = (response, Array(text.utf8))
            guard exchange.variable("WAIT") != nil else { return .now(answer) }
            return .later(in: pool) {
                _ = gate.wait(milliseconds: 60_000) { $0 > 0 ? $0 -= 1 : nil }
                return answer
            } refusal: {
                (HTTPResponse(status: .serviceUnavailable), Array("full".utf8))
            }
        }
        try pool.start()
        defer { _ = pool.stop(waiting: 100) }
        try server.start()
        defer { _ = server.stop(waiting: 100) }
        try body(path, server)
    }

    @Test func `variables, fields and body arrive, and the response goes back`() throws {
        try Self.withServer { path, _ in
            let client = try #require(Client(path))
            client.send(
                Client.request(
                    [("A", "x"), ("HTTP_COOKIE", "c=d"), ("CONTENT_LENGTH", "3")],
                    "abc"
                )
            )
            let answer = client.receive()
            #expect(answer.contains("Status: 200 OK\r\n"))
            #expect(answer.contains("\r\n\r\nx|c=d|abc"))
        }
    }

    /// Any neighbouring host can set such a cookie; to a Character, `=` and an accent are one.
    @Test(arguments: ["\u{301}=1; c=d", "\u{200d}c=d", "\u{fe0f}"])
    func `a field that begins with a mark is still a field`(cookie: String) throws {
        try Self.withServer { path, _ in
            let client = try #require(Client(path))
            client.send(Client.request([("A", "x"), ("HTTP_COOKIE", cookie)]))
            #expect(client.receive().utf8.contains("x|\(cookie)|".utf8))
        }
    }

    @Test func `a multitude of fields is cut off`() throws {
        try Self.withServer { path, _ in
            let client = try #require(Client(path))
            let many = (0..<8000).map { ("HTTP_A\($0)", "") }
            client.send(Client.request([("A", "x")] + many))
            #expect(client.receive().contains("x|-|"))
        }
    }

    @Test(arguments: ["11", "-1", "x", "99999999999999999999", "4"])
    func `a body that is too long or not as announced is refused`(length: String) throws {
        try Self.withServer { path, _ in
            let client = try #require(Client(path))
            client.send(Client.request([("CONTENT_LENGTH", length)], "abc"))
            #expect(client.receive().contains("|refused"))
        }
    }

    /// Hostile inputs HH-07: whoever reaches the socket may say anything; the server lives on.
    @Test func `nonsense ends one connection and nothing else`() throws {
        try Self.withServer(threads: 4) { path, _ in
            let hostile: [[UInt8]] = [
                [], [0], Array("GET / HTTP/1.1\r\n\r\n".utf8),
                [255, 255, 255, 255, 255, 255, 255, 255],
                Client.record(1, [0, 1, 0, 0, 0, 0, 0, 0])
                    + Client.record(4, [255, 255, 255, 255, 1]),
                // Lengths for which libfcgi has no memory: it ends the process.
                Client.record(1, [0, 1, 0, 0, 0, 0, 0, 0])
                    + Client.record(4, [255, 255, 255, 254, 255, 255, 255, 254])
                    + Client.record(4, []) + Client.record(5, []),
                Client.request([("A", "x")]) + [1, 9, 0, 0, 0, 8, 0, 0]
                    + [255, 255, 255, 254, 255, 255, 255, 254],
                Client.record(1, [0, 1, 0, 0, 0, 0, 0, 0]) + Client.record(4, [127, 127, 65]),
                Client.record(4, [1, 1, 65, 66]), Client.record(1, [0, 9, 0, 0, 0, 0, 0, 0]),
            ]
            for bytes in hostile {
                let client = try #require(Client(path))
                client.send(bytes)
                shutdown(client.descriptor, Int32(SHUT_WR))
                _ = client.receive()
            }
            let client = try #require(Client(path))
            client.send(Client.request([("A", String(repeating: "v", count: 100_000)), ("", "")]))
            #expect(client.receive().contains("vvv|-|"))
        }
    }

    @Test func `what waits in a pool keeps no thread from the others, and is answered`() throws {
        let pool = WorkerPool(threads: 2, maximumWaiting: 2)
        let gate = Monitor(0)
        try Self.withServer(threads: 1, pool: pool, gate: gate) { path, _ in
            let waiting = try (0..<4).map { index in
                let client = try #require(Client(path))
                client.send(Client.request([("A", "w\(index)"), ("WAIT", "1")]))
                // Two have a thread and two a place to wait, one after the other.
                for _ in 0..<10_000 {
                    let waiting = index < 2 ? 0 : pool.waitingJobs
                    if pool.busyThreads + waiting > index { break }
                    Host.sleep(milliseconds: 1)
                }
                return client
            }
            let excess = try #require(Client(path))
            excess.send(Client.request([("A", "x"), ("WAIT", "1")]))
            #expect(excess.receive().contains("full"))
            let other = try #require(Client(path))
            other.send(Client.request([("A", "y")]))
            #expect(other.receive().contains("y|-|"))
            gate.withLock(waking: .all) { $0 = 4 }
            for (index, client) in waiting.enumerated() {
                #expect(client.receive().contains("w\(index)|-|"))
            }
        }
    }

    @Test func `who has gone before its turn is not worked for`() throws {
        let pool = WorkerPool(threads: 1, maximumWaiting: 2)
        let gate = Monitor(0)
        try Self.withServer(pool: pool, gate: gate) { path, _ in
            let first = try #require(Client(path))
            first.send(Client.request([("A", "x"), ("WAIT", "1")]))
            for _ in 0..<10_000 where pool.busyThreads == 0 { Host.sleep(milliseconds: 1) }
            let second = try #require(Client(path))
            second.send(Client.request([("A", "y"), ("WAIT", "1")]))
            for _ in 0..<10_000 where pool.waitingJobs == 0 { Host.sleep(milliseconds: 1) }
            close(second.descriptor)
            // For the first one alone: the second would wait here for a minute.
            gate.withLock(waking: .all) { $0 = 1 }
            #expect(first.receive().contains("x|-|"))
            #expect(pool.stop(waiting: 10_000))
        }
    }

    /// Whoever may write to the socket could otherwise hold every thread with as many connections.
    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `a connection that sends nothing, or a byte now and then, holds no thread`(isSlow: Bool)
        throws
    {
        try Self.withServer(threads: 2) { path, _ in
            let silent = try (0..<2).map { _ in try #require(Client(path)) }
            let bytes = Client.request([("A", "x")])
            if isSlow {
                try WorkerThread.start {
                    for byte in bytes.prefix(40) {
                        for client in silent { client.send([byte]) }
                        Host.sleep(milliseconds: 500)
                    }
                }
            }
            Host.sleep(milliseconds: 100)
            let start = Host.uptimeNanoseconds
            let client = try #require(Client(path))
            client.send(Client.request([("A", "y")]))
            #expect(client.receive().contains("y|-|"))
            #expect(Host.uptimeNanoseconds - start < 15_000_000_000)
            #expect(silent.map { $0.receive() } == ["", ""])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `one who keeps the connection after the answer holds no thread`() throws {
        try Self.withServer(threads: 1) { path, _ in
            let lingering = try #require(Client(path))
            lingering.send(Client.request([("A", "x")]))
            try WorkerThread.start {
                for _ in 0..<40 {
                    lingering.send([0])
                    Host.sleep(milliseconds: 500)
                }
            }
            let start = Host.uptimeNanoseconds
            let client = try #require(Client(path))
            client.send(Client.request([("A", "y")]))
            #expect(client.receive().contains("y|-|"))
            #expect(Host.uptimeNanoseconds - start < 10_000_000_000)
        }
    }

    /// The answer must not be lost in a reset of the connection.
    @Test func `a request is answered whose body nobody read`() throws {
        try Self.withServer { path, _ in
            let client = try #require(Client(path))
            let body = String(repeating: "b", count: 50_000)
            client.send(Client.request([("A", "x"), ("CONTENT_LENGTH", "50000")], body))
            #expect(client.receive().contains("x|-|refused"))
        }
    }

    @Test func `stopping finishes what is in flight`() throws {
        try Self.withServer { path, server in
            let client = try #require(Client(path))
            client.send(Client.request([("A", "x"), ("SLOW", "1")]))
            Host.sleep(milliseconds: 100)
            #expect(server.stop(waiting: 10_000))
            #expect(client.receive().contains("x|-|"))
            #expect(Client(path) == nil)
        }
    }

    @Test func `stopping answers who has connected already, and nobody after`() throws {
        try Self.withServer(threads: 1) { path, server in
            let slow = try #require(Client(path))
            slow.send(Client.request([("A", "x"), ("SLOW", "1")]))
            for _ in 0..<10_000 where server.busyThreads == 0 { Host.sleep(milliseconds: 5) }
            // The only thread is busy, so this one waits at the socket.
            let waiting = try #require(Client(path))
            waiting.send(Client.request([("A", "y")]))
            #expect(server.busyThreads == 1 && server.threads == 1)
            #expect(server.stop(waiting: 10_000))
            #expect(slow.receive().contains("x|-|") && waiting.receive().contains("y|-|"))
            #expect(Client(path) == nil)
        }
    }

    @Test func `a kept connection is served again, and ends when the server stops`() throws {
        try Self.withServer { path, server in
            let client = try #require(Client(path))
            for _ in 0..<3 {
                client.send(Client.request([("A", "x")], keepsConnection: true))
                Host.sleep(milliseconds: 50)
            }
            let start = Host.uptimeNanoseconds
            #expect(server.stop(waiting: 10_000))
            #expect(Host.uptimeNanoseconds - start < 5_000_000_000)
            let answers = client.receive().components(separatedBy: "Status: 200 OK")
            #expect(answers.count == 4)
        }
    }

    @Test(arguments: [":9000", "localhost:9000", "9000", "", "/tmp/a:1"])
    func `no address of the network is listened on`(path: String) {
        #expect(throws: SystemError.self) {
            try ListeningSocket(at: path)
        }
    }
}

@Suite struct CGIExchangeTests {
    @Test func `variables of the environment are the request`() throws {
        let exchange = try #require(
            CGIExchange([
                "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET", "SITE_ROUTE": "/auth/me",
                "HTTP_X_NAME": "a", "CONTENT_TYPE": "text/plain",
            ])
        )
        #expect(exchange.variable("SITE_ROUTE") == "/auth/me")
        #expect(exchange.headerFields[.contentType] == "text/plain")
        #expect(exchange.headerFields.count == 2)
        #expect(exchange.body(maximumBytes: 10) == [])
    }

    @Test func `a process that nobody started for a request has none`() {
        #expect(CGIExchange(["PATH": "/bin"]) == nil)
        #expect(CGIExchange(["GATEWAY_INTERFACE": "CGI/1.1"]) == nil)
    }

    @Test(arguments: ["11", "-1", "x"])
    func `a body that is too long is refused`(length: String) throws {
        let exchange = try #require(
            CGIExchange([
                "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "POST", "CONTENT_LENGTH": length,
            ])
        )
        #expect(exchange.body(maximumBytes: 10) == nil)
    }
}
