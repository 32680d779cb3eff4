import FlyingFox
import FoundationEssentials
import HTTPTypes
import Loopback
import SiteGenerator

/// Serves a preview over HTTP.
struct PreviewServer: HTTPHandler {
    let preview: Preview

    func handleRequest(
        _ request: FlyingFox.HTTPRequest
    ) async throws -> FlyingFox.HTTPResponse {
        let asked = HTTPTypes.HTTPRequest(received: request)
        let answer = preview.respond(to: asked)
        var response = FlyingFox.HTTPResponse(sent: answer.head)
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
