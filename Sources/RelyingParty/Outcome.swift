/// What becomes of a request: an answer, or a wait for the provider before there is one.
public enum Outcome: Sendable {
    case answer(Response)
    case wait(Waiting)
}

/// A request that cannot be answered before the provider has been asked.
public struct Waiting: Sendable {
    /// Where it waits; each queue has places of its own, so that one cannot fill up another.
    public enum Queue: String, Sendable, CaseIterable {
        /// Somebody comes back from the provider with a code.
        case signIn = "sign_in"
        /// Somebody who is signed in, about whom the provider is asked again.
        case revalidation
        /// A code from where many invented ones came from.
        case doubtful
    }

    /// Seconds after which the reader is told that there are too many, and the code is not used.
    ///
    /// nginx waits for longer than this and the calls that follow it.
    static let patience = 20

    public let queue: Queue
    let since: NumericDate
    /// Asks the provider, and answers.
    let answer: @Sendable (_ now: NumericDate) -> Response
    /// Answers without having asked: too many wait.
    let refusal: @Sendable (_ now: NumericDate) -> Response

    func isTooLate(at now: NumericDate) -> Bool { now - since > Self.patience }
}
