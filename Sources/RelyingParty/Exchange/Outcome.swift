import SiteauthConfiguration

/// The outcome of a request: an answer, or a wait for the provider before there is one.
public enum Outcome: Sendable {
    case answer(Response)
    case wait(Waiting)
}

/// A request that cannot be answered before the provider has been asked.
public struct Waiting: Sendable {
    /// The queue in which the request waits; each queue has its own threads, so that one cannot
    /// block another.
    public enum Queue: String, Sendable, CaseIterable {
        /// A browser returns from the provider with a code, or goes there with a request that the
        /// provider gets first.
        case signIn = "sign_in"
        /// The session of a reader is being revalidated.
        case revalidation
        /// A code from a network that has sent many invented codes.
        case doubtful
    }

    /// Seconds after which the reader is told that too many are waiting, and the code is not used.
    ///
    /// nginx waits longer than these seconds and the calls that follow them.
    static let patience = 20

    public let queue: Queue
    let since: NumericDate
    /// The address that the reader is on the way to, if the request does not say it.
    var returnPath: String?
    /// Asks the provider, and answers.
    let answer: @Sendable (_ now: NumericDate) -> Response
    /// Answers without a call to the provider, because too many requests wait.
    let refusal: @Sendable (_ now: NumericDate) -> Response

    func isTooLate(at now: NumericDate) -> Bool { now - since > Self.patience }
}
