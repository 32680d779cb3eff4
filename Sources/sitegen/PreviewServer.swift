import FlyingFox
import FlyingSocks
import FoundationEssentials
import Glibc
import HTTPTypes
import SiteGenerator

/// Speaks HTTP for a preview.
struct PreviewServer: Sendable {
    private let server: HTTPServer

    init(_ preview: Preview, at address: LoopbackAddress, port: UInt16) throws {
        let handler = Handler(preview: preview)
        switch address {
        case .ipv4(let text):
            server = HTTPServer(
                address: try sockaddr_in.inet(ip4: text, port: port),
                logger: .disabled,
                handler: handler
            )
        case .ipv6:
            server = HTTPServer(
                address: sockaddr_in6.loopback(port: port),
                logger: .disabled,
                handler: handler
            )
        }
    }

    /// Begins to answer.
    ///
    /// - Returns: the port, where 0 asked for any.
    func start() async throws -> UInt16 {
        let (results, result) = AsyncStream<Result<UInt16, any Error>>.makeStream()
        // Neither is a child of this function: the server goes on when it has returned.
        Task { [server] in
            do { try await server.run() } catch { result.yield(.failure(error)) }
        }
        Task { [server] in
            // Its error, too late or cancelled, is never the reason.
            try? await server.waitUntilListening()
            switch await server.listeningAddress {
            case .ip4(_, let port), .ip6(_, let port): result.yield(.success(port))
            default: break
            }
        }
        for await result in results { return try result.get() }
        return 0
    }

    /// Whether an error of ``start()`` says that somebody else listens there.
    static func isInUse(_ error: any Error) -> Bool {
        guard case .failed(_, EADDRINUSE, _) = error as? SocketError else { return false }
        return true
    }

    private struct Handler: HTTPHandler {
        let preview: Preview

        func handleRequest(
            _ request: FlyingFox.HTTPRequest
        ) async throws -> FlyingFox.HTTPResponse {
            var asked = HTTPTypes.HTTPRequest(
                method: HTTPTypes.HTTPRequest.Method(request.method.rawValue) ?? .trace,
                scheme: "http",
                authority: request.headers[.host],
                path: request.target.rawValue
            )
            for (name, value) in request.headers {
                if let name = HTTPField.Name(name.rawValue) { asked.headerFields[name] = value }
            }
            let answer = preview.respond(to: asked)
            var response = FlyingFox.HTTPResponse(
                statusCode: HTTPStatusCode(
                    answer.head.status.code,
                    phrase: answer.head.status.reasonPhrase
                )
            )
            for field in answer.head.headerFields {
                response.headers[HTTPHeader(field.name.rawName)] = field.value
            }
            if asked.method == .head { return response }
            switch answer.body {
            case .bytes(let bytes):
                response.payload = .httpBody(HTTPBodySequence(data: Data(bytes)))
            case .events:
                let events = EventBytes(events: preview.events())
                response.payload = .httpBody(HTTPBodySequence(from: events))
            }
            return response
        }
    }
}
