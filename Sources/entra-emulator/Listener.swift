import EntraEmulator
import HTTPTypes
import Loopback
import POSIX
import Synchronization

/// A port of this machine, and the function that answers there.
final class Listener: Sendable {
    /// A structure, because a mutex of a bare function wraps it in two more functions at each lock:
    /// after fifty thousand requests, calling all of them would overflow a thread's stack.
    private struct Responder: Sendable {
        let respond: @Sendable (EmulatorRequest) -> EmulatorResponse
    }

    private let responder = Mutex<Responder?>(nil)

    /// Starts to answer; before that, every answer is a 503.
    func answer(_ respond: @escaping @Sendable (EmulatorRequest) -> EmulatorResponse) {
        responder.withLock { $0 = Responder(respond: respond) }
    }

    /// Starts to listen.
    ///
    /// - Returns: the port, which the system chooses for 0.
    func start(at addresses: [LoopbackAddress], port: UInt16) throws(SystemError) -> UInt16 {
        try LoopbackServer.start(
            at: addresses,
            port: port,
            // No request to Entra is larger.
            maximumBodyBytes: 1 << 20
        ) { [self] request, body in
            let request = EmulatorRequest(request, body: body)
            guard let answer = responder.withLock({ $0 })?.respond(request) else {
                return LoopbackAnswer(HTTPResponse(status: .serviceUnavailable))
            }
            if answer.delaySeconds > 0 {
                try? await Task.sleep(for: .seconds(answer.delaySeconds))
            }
            return LoopbackAnswer(answer.http, Self.body(answer))
        }
    }

    private static func body(_ answer: EmulatorResponse) -> LoopbackAnswer.Body {
        guard answer.isTruncated else { return .bytes(answer.body) }
        let (parts, part) = AsyncStream<[UInt8]>.makeStream()
        part.yield(Array(answer.body.prefix(answer.body.count / 2)))
        part.finish()
        return .parts(parts, announcedBytes: answer.body.count)
    }
}
