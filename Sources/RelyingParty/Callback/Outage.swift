import Synchronization

/// Whether the token endpoint is worth asking.
///
/// Where it does not answer at all, each call takes as long as a call may, and everybody behind it
/// would wait for nothing. After several in a row, one call in a few seconds finds out whether it is
/// back, and all others are told at once.
final class Outage: Sendable {
    /// Calls that failed, with none that was answered between them.
    static let failures = 8
    /// Seconds from one attempt to the next.
    static let interval = 3

    private struct State {
        var failures = 0
        var attemptedAt: NumericDate = 0
    }

    private let state = Mutex(State())

    /// Whether a call may be made now.
    func mayCall(at now: NumericDate) -> Bool {
        state.withLock { state in
            guard state.failures >= Self.failures,
                (0..<Self.interval).contains(now - state.attemptedAt)
            else {
                state.attemptedAt = now
                return true
            }
            return false
        }
    }

    func countCall(isAnswered: Bool, at now: NumericDate) {
        state.withLock { state in
            state.failures = isAnswered ? 0 : state.failures + 1
            state.attemptedAt = now
        }
    }
}
