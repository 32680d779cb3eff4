import SiteauthConfiguration
import Synchronization

/// A circuit breaker for the token endpoint.
///
/// If the endpoint does not answer, each call takes its whole time limit, and every reader behind
/// it waits for nothing. After several failures in a row, one call every few seconds tests whether
/// the endpoint is back, and all other sign-ins fail at once.
final class CircuitBreaker: Sendable {
    /// The number of failed calls in a row that opens the circuit.
    static let failures = 8
    /// Seconds between test calls.
    static let interval = 3

    private struct State {
        var failures = 0
        var attemptedAt: NumericDate = 0
    }

    private let state = Mutex(State())

    /// Whether a call is allowed now.
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
