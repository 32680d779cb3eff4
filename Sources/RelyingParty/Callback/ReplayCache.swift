import SiteauthConfiguration
import Synchronization

/// The sign-in states whose code was already sent to the provider; each state is accepted once.
///
/// Otherwise a stranger with one `state` could cause any number of calls to the provider, each with
/// an invented code. Each process has its own memory: another process, or the same one after a
/// restart, accepts a state once more, and the provider refuses the used code.
final class ReplayCache: Sendable {
    /// The size of one generation.
    ///
    /// It bounds the memory that a flood can take; a forgotten state costs one call.
    static let capacity = 100_000

    /// The 16 bytes of a state's id, stored inline to save memory.
    private struct ID: Hashable {
        let high: UInt64
        let low: UInt64

        init(_ bytes: [UInt8]) {
            high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private struct Generations {
        var newest: Set<ID> = []
        var former: Set<ID> = []
        var startedAt: NumericDate = 0
    }

    private let generations = Mutex(Generations())

    /// Marks a state as used.
    ///
    /// - Returns: whether this is the first use.
    func use(_ state: SignInState, at now: NumericDate) -> Bool {
        generations.withLock { generations in
            let age = now - generations.startedAt
            if !(0..<SignInState.lifetime).contains(age)
                || generations.newest.count >= Self.capacity
            {
                generations.former = generations.newest
                generations.newest = []
                generations.startedAt = now
            }
            let id = ID(state.id)
            guard !generations.former.contains(id) else { return false }
            return generations.newest.insert(id).inserted
        }
    }
}
