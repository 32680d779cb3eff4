import SiteauthConfiguration
import Synchronization

/// Counts, for each network, the codes that the provider does not know.
///
/// Only the provider can tell an invented code from a real one, so each code costs a call. A
/// network that has sent many invented codes, and more of them than real ones, waits in a separate
/// queue, so that it does not delay other networks.
final class InventedCodes: Sendable {
    /// The number of refused codes from which on a network is doubtful; opening an old link sends
    /// one or two.
    static let tolerated = 20
    /// Seconds for which codes are counted.
    static let window = 600
    /// The number of networks that are counted; further networks are not counted.
    static let capacity = 10_000

    private struct Count {
        var refused = 0
        var redeemed = 0
    }

    private struct State {
        var counts: [String: Count] = [:]
        var startedAt: NumericDate = 0
        /// The networks that were doubtful in the previous window.
        var doubted: Set<String> = []
    }

    private let state = Mutex(State())

    func count(_ network: String?, isRedeemed: Bool, at now: NumericDate) {
        guard let network else { return }
        state.withLock { state in
            Self.beginWindow(&state, at: now)
            guard state.counts[network] != nil || state.counts.count < Self.capacity else { return }
            if isRedeemed {
                state.counts[network, default: Count()].redeemed += 1
            } else {
                state.counts[network, default: Count()].refused += 1
            }
        }
    }

    func isDoubtful(_ network: String?, at now: NumericDate) -> Bool {
        guard let network else { return false }
        return state.withLock { state in
            Self.beginWindow(&state, at: now)
            guard let count = state.counts[network] else { return state.doubted.contains(network) }
            if state.doubted.contains(network), count.refused >= count.redeemed { return true }
            return Self.isDoubtful(count)
        }
    }

    private static func isDoubtful(_ count: Count) -> Bool {
        count.refused >= tolerated && count.refused > count.redeemed
    }

    private static func beginWindow(_ state: inout State, at now: NumericDate) {
        guard !(0..<window).contains(now - state.startedAt) else { return }
        state.doubted = Set(state.counts.filter { isDoubtful($0.value) }.keys)
        state.counts = [:]
        state.startedAt = now
    }
}
