import EntraEmulator
import FlyingFox
import FoundationEssentials
import HTTPTypes
import Loopback

/// Speaks HTTP for the emulator, or for the page that switches its faults.
struct HTTPGateway: HTTPHandler {
    /// Larger bodies are no request that Entra knows.
    private static let maximumBodyBytes = 1 << 20

    let respond: @Sendable (EmulatorRequest) -> EmulatorResponse?

    func handleRequest(_ request: FlyingFox.HTTPRequest) async throws -> FlyingFox.HTTPResponse {
        let asked = HTTPTypes.HTTPRequest(received: request)
        guard request.bodySequence.count ?? 0 <= Self.maximumBodyBytes else {
            return FlyingFox.HTTPResponse(statusCode: .payloadTooLarge)
        }
        guard let body = try await Self.body(of: request) else {
            return FlyingFox.HTTPResponse(statusCode: .payloadTooLarge)
        }
        guard let answer = respond(EmulatorRequest(asked, body: body)) else {
            return FlyingFox.HTTPResponse(statusCode: .serviceUnavailable)
        }
        if answer.delaySeconds > 0 { try await Task.sleep(for: .seconds(answer.delaySeconds)) }
        var response = Self.response(answer, isHead: asked.method == .head)
        // The server ends such a connection without a word, and clients would ask on it again.
        if request.headers[.connection]?.lowercased() == "close" {
            response.headers[.connection] = "close"
        }
        return response
    }

    /// The body, or `nil` if it is too large: one in chunks does not say so beforehand.
    private static func body(of request: FlyingFox.HTTPRequest) async throws -> [UInt8]? {
        var body: [UInt8] = []
        for try await part in request.bodySequence {
            guard body.count + part.count <= maximumBodyBytes else { return nil }
            body += part
        }
        return body
    }

    private static func response(
        _ answer: EmulatorResponse,
        isHead: Bool
    ) -> FlyingFox.HTTPResponse {
        var response = FlyingFox.HTTPResponse(sent: answer.http)
        if isHead { return response }
        let count = answer.body.count
        let body =
            answer.isTruncated
            // More is announced than comes, and then the connection ends.
            ? HTTPBodySequence(
                from: AbortedBody(bytes: Array(answer.body.prefix(count / 2))),
                count: count
            )
            : HTTPBodySequence(data: Data(answer.body))
        response.payload = .httpBody(body)
        return response
    }
}
