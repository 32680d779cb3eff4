import HTTPTypes
import Loopback
import SiteGenerator

extension Preview {
    /// Answers a request over HTTP.
    func answer(_ request: HTTPRequest) async -> LoopbackAnswer {
        let answer = await respond(to: request)
        switch answer.body {
        case .bytes(let bytes): return LoopbackAnswer(answer.head, .bytes(bytes))
        case .events where request.method == .head: return LoopbackAnswer(answer.head)
        case .events: return LoopbackAnswer(answer.head, .parts(events()))
        }
    }
}
