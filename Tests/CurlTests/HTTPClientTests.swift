import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Curl

#if canImport(Glibc)
    import Glibc
#endif

/// A server on a free loopback port that answers every connection with the same bytes.
private final class OneAnswer: Sendable {
    let port: Int
    let received = Mutex<[UInt8]>([])

    init(_ answer: String, delay: UInt32 = 0) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = bind(descriptor, generic, length)
                _ = getsockname(descriptor, generic, &length)
            }
        }
        listen(descriptor, 8)
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            let connection = accept(descriptor, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &buffer, buffer.count, 0)
            received.withLock { $0 = Array(buffer.prefix(max(count, 0))) }
            usleep(delay)
            let bytes = Array(answer.utf8)
            _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            close(connection)
            close(descriptor)
        }
    }

    func get(_ client: HTTPClient = HTTPClient()) throws -> (response: HTTPResponse, body: [UInt8])
    {
        let request = HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: "/a?b=c",
            headerFields: [.accept: "application/json"]
        )
        return try client.send(request, body: [])
    }
}

@Suite struct HTTPClientTests {
    @Test func `a client of the public internet never asks this machine`() throws {
        let server = try OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let client = HTTPClient(networkScope: .publicInternet)
        for host in ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433"] {
            let request = HTTPRequest(
                method: .get,
                scheme: "http",
                authority: "\(host):\(server.port)",
                path: "/"
            )
            let error = #expect(throws: TransportError.self) {
                try client.send(request, body: [])
            }
            #expect(error?.isRefusedAsPrivate == true, "\(host)")
        }
        #expect(server.received.withLock { $0.isEmpty })
    }

    @Test func `a body may be cut where its answer is what counts`() throws {
        let server = try OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123456789")
        let client = HTTPClient(maximumBodyBytes: 4, networkScope: .anywhere, cutsBody: true)
        #expect(try server.get(client).response.status == .ok)
    }

    @Test func `an answer has its status, fields and body`() throws {
        let server = try OneAnswer(
            "HTTP/1.1 418 Teapot\r\nContent-Type: text/x\r\nContent-Length: 3\r\n\r\nabc"
        )
        let answer = try server.get()
        #expect(answer.response.status.code == 418)
        #expect(answer.response.headerFields[.contentType] == "text/x")
        #expect(answer.body == Array("abc".utf8))
        let sent = server.received.withLock { String(decoding: $0, as: UTF8.self) }
        #expect(sent.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(
            sent.contains("accept: application/json\r\n")
                || sent.contains("Accept: application/json\r\n")
        )
    }

    @Test func `a body is posted whole`() throws {
        let server = try OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let request = HTTPRequest(
            method: .post,
            scheme: "http",
            authority: "localhost:\(server.port)",
            path: "/t",
            headerFields: [.contentType: "application/x-www-form-urlencoded"]
        )
        _ = try HTTPClient().send(request, body: Array("a=1&b=\0".utf8))
        let sent = server.received.withLock { String(decoding: $0, as: UTF8.self) }
        #expect(sent.contains("POST /t") && sent.contains("a=1&b=\0"))
    }

    @Test func `a redirect is an answer, not a journey`() throws {
        let server = try OneAnswer(
            "HTTP/1.1 302 Found\r\nLocation: https://evil.example/\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(try server.get().response.status.code == 302)
    }

    @Test func `too much is cut off`() throws {
        let body = String(repeating: "x", count: 5000)
        let server = try OneAnswer("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n\(body)")
        #expect(throws: TransportError.self) { try server.get(HTTPClient(maximumBodyBytes: 4999)) }
        let fields = String(repeating: "X-A: \(String(repeating: "y", count: 1000))\r\n", count: 80)
        let other = try OneAnswer("HTTP/1.1 200 OK\r\n\(fields)\r\n")
        #expect(throws: TransportError.self) { try other.get() }
    }

    @Test func `who does not answer is given up`() throws {
        let server = try OneAnswer("late", delay: 3_000_000)
        let error = try #require(throws: TransportError.self) {
            try server.get(HTTPClient(totalSeconds: 1))
        }
        #expect(error.description.lowercased().contains("time"))
    }

    @Test(arguments: [
        ("http", "example.com"), ("http", "localhost.evil.example"), ("http", "127.0.0.1.evil"),
        ("http", "10.0.0.1"), ("file", "localhost"), ("ftp", "example.com"), ("", "x"),
    ])
    func `plain http goes to this machine only, and nothing else goes anywhere`(
        scheme: String,
        authority: String
    ) {
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        let error = TransportError("'\(scheme)://\(authority)' is not https")
        #expect(throws: error) { try HTTPClient().send(request, body: []) }
    }
}
