import EntraEmulator
import FlyingFox
import FoundationEssentials
import HTTPTypes
import Loopback

/// The HTTP server of the emulator or of its administration.
struct HTTPGateway: HTTPHandler {
    /// The greatest body; no request to Entra is larger.
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
        // The server closes such a connection silently, and clients would use it again.
        if request.headers[.connection]?.lowercased() == "close" {
            response.headers[.connection] = "close"
        }
        return response
    }

    /// The body, or `nil` if it is too large; a body in chunks does not announce its length.
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
            // The announced length is greater than what is sent, and then the connection ends.
            ? HTTPBodySequence(
                from: AbortedBody(bytes: Array(answer.body.prefix(count / 2))),
                count: count
            )
            : HTTPBodySequence(data: Data(answer.body))
        response.payload = .httpBody(body)
        return response
    }
}
