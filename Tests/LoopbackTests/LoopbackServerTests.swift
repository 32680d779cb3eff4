import Curl
import HTTPTypes
import Loopback
import POSIX
import Synchronization
import Testing

@Suite struct LoopbackServerTests {
    /// Patient, because other tests occupy Swift's pool, on which the server answers.
    private let client = HTTPClient(maximumBodyBytes: 4 << 20, totalSeconds: 600)
    private let home: [LoopbackAddress] = [.ipv4("127.0.0.1")]

    /// Waits on a thread of its own: the server answers on Swift's pool.
    private func send(
        _ request: HTTPRequest,
        body: [UInt8] = []
    ) async throws -> (response: HTTPResponse, body: [UInt8]) {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try WorkerThread.start {
                    continuation.resume(with: Result { try client.send(request, body: body) })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private func request(
        _ port: UInt16,
        _ path: String = "/",
        _ method: HTTPRequest.Method = .get,
        _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: path,
            headerFields: fields
        )
    }

    @Test func `a request arrives as it was sent, and its answer too`() async throws {
        let port = try LoopbackServer.start(at: home, port: 0, maximumBodyBytes: 1 << 20) {
            request,
            body in
            var head = HTTPResponse(status: .accepted)
            head.headerFields[.location] = request.path
            head.headerFields[.server] = request.authority
            head.headerFields[.cookie] = request.headerFields[.cookie]
            head.headerFields[.contentLength] = "1"
            return LoopbackAnswer(head, .bytes(Array(request.method.rawValue.utf8) + body))
        }
        let path = "/a%2Fb/%00c?d=%20&e"
        let fields: HTTPFields = [.cookie: "a=b"]
        let body = [UInt8](repeating: 7, count: 1 << 20)
        let sent = request(port, path, .post, fields)
        let (response, received) = try await send(sent, body: body)
        #expect(response.status == .accepted)
        #expect(response.headerFields[.location] == path)
        #expect(response.headerFields[.server] == "127.0.0.1:\(port)")
        #expect(response.headerFields[.cookie] == "a=b")
        #expect(received == Array("POST".utf8) + body)
    }

    @Test func `an answer to HEAD has the length of the body, but no body`() async throws {
        let port = try LoopbackServer.start(at: home, port: 0, maximumBodyBytes: 1 << 20) { _, _ in
            LoopbackAnswer(HTTPResponse(status: .ok), .bytes([1, 2, 3]))
        }
        let (response, body) = try await send(request(port, "/", .head))
        #expect(response.headerFields[.contentLength] == "3" && body.isEmpty)
    }

    @Test func `a body of more than a megabyte is refused`() async throws {
        let port = try LoopbackServer.start(at: home, port: 0, maximumBodyBytes: 1 << 20) { _, _ in
            LoopbackAnswer(HTTPResponse(status: .ok))
        }
        let body = [UInt8](repeating: 7, count: 1 << 20 + 1)
        #expect(try await send(request(port, "/", .post), body: body).response.status.code == 413)
        let chunked: HTTPFields = [.transferEncoding: "chunked"]
        let large = request(port, "/", .post, chunked)
        #expect(try await send(large, body: body).response.status.code == 413)
        #expect(try await send(large, body: [1]).response.status == .ok)
    }

    @Test func `parts are sent until they end`() async throws {
        let port = try LoopbackServer.start(at: home, port: 0, maximumBodyBytes: 1 << 20) {
            request,
            _ in
            let (parts, part) = AsyncStream<[UInt8]>.makeStream()
            part.yield([1, 2])
            part.yield([UInt8](repeating: 3, count: 100_000))
            part.finish()
            let count = request.path == "/cut" ? 100_003 : nil
            return LoopbackAnswer(HTTPResponse(status: .ok), .parts(parts, announcedBytes: count))
        }
        let (_, body) = try await send(request(port))
        #expect(body == [1, 2] + [UInt8](repeating: 3, count: 100_000))
        await #expect(throws: TransportError.self) { try await send(request(port, "/cut")) }
    }

    private final class Gate: Sendable {
        let isOpen = Atomic(false)
    }

    @Test func `one that waits for its answer delays no other`() async throws {
        let gate = Gate()
        let port = try LoopbackServer.start(at: home, port: 0, maximumBodyBytes: 1 << 20) {
            request,
            _ in
            while request.path == "/slow", !gate.isOpen.load(ordering: .relaxed) {
                try? await Task.sleep(for: .milliseconds(5))
            }
            return LoopbackAnswer(HTTPResponse(status: .ok))
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await send(request(port, "/slow")).response.status }
            }
            #expect(try await send(request(port)).response.status == .ok)
            gate.isOpen.store(true, ordering: .relaxed)
            for try await status in group { #expect(status == .ok) }
        }
    }

    @Test func `a port that is in use is an error, a missing address only as the first`()
        async throws
    {
        let handler: LoopbackServer.Handler = { _, _ in
            LoopbackAnswer(HTTPResponse(status: .ok))
        }
        let port = try LoopbackServer.start(
            at: home,
            port: 0,
            maximumBodyBytes: 1 << 20,
            handler: handler
        )
        let error = #expect(throws: SystemError.self) {
            try LoopbackServer.start(
                at: home,
                port: port,
                maximumBodyBytes: 1 << 20,
                handler: handler
            )
        }
        #expect(error?.isAddressInUse == true)
        // Addresses are not looked up: this one is nobody's.
        let nowhere = LoopbackAddress.ipv4("192.0.2.1")
        #expect(throws: SystemError.self) {
            try LoopbackServer.start(
                at: [nowhere],
                port: 0,
                maximumBodyBytes: 1 << 20,
                handler: handler
            )
        }
        let other = try LoopbackServer.start(
            at: home + [nowhere],
            port: 0,
            maximumBodyBytes: 1 << 20,
            handler: handler
        )
        #expect(try await send(request(other)).response.status == .ok)
        let two = home + [.ipv4("127.0.0.2")]
        let both = try LoopbackServer.start(
            at: two,
            port: 0,
            maximumBodyBytes: 1 << 20,
            handler: handler
        )
        #expect(throws: SystemError.self) {
            try LoopbackServer.start(
                at: [.ipv4("127.0.0.3"), .ipv4("127.0.0.2")],
                port: both,
                maximumBodyBytes: 0,
                handler: handler
            )
        }
    }
}
