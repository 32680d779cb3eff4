import HTTPTypes
import POSIX

/// How a request is answered.
public enum Reply: Sendable {
    public typealias Answer = (response: HTTPResponse, body: [UInt8])

    case now(Answer)
    /// By another thread, so that this one serves others while somebody else's machine is waited for.
    ///
    /// - Parameters:
    ///   - pool: whose turn it waits for.
    ///   - answer: is asked for when its turn has come; never where nginx has gone meanwhile.
    ///   - refusal: is the answer where too many wait.
    case later(
        in: WorkerPool,
        answer: @Sendable () -> Answer,
        refusal: @Sendable () -> Answer
    )
}
