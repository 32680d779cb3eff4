import HTTPTypes
import POSIX

/// How a request is answered.
public enum Reply: Sendable {
    public typealias Answer = (response: HTTPResponse, body: [UInt8])

    case now(Answer)
    /// Another thread answers, so that this thread serves other requests while the provider is
    /// called.
    ///
    /// - Parameters:
    ///   - pool: the pool in which the request waits.
    ///   - answer: called when the request's turn has come, unless nginx has closed the connection.
    ///   - refusal: the answer if too many requests wait.
    case later(
        in: WorkerPool,
        answer: @Sendable () -> Answer,
        refusal: @Sendable () -> Answer
    )
}
