import Synchronization

/// The sign-ins whose code was taken to the provider: each of them is taken there once.
///
/// Otherwise one `state` would let a stranger make as many calls to the provider as they can invent
/// codes. It is the memory of one process: another one, or the same after a restart, takes a state
/// once more, and the provider refuses the code that it comes with.
final class UsedStates: Sendable {
    /// Of one generation: the memory of a flood is bounded, and what it costs is a call.
    static let capacity = 100_000

    /// The 16 bytes of a state's id, without an array of its own for each.
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

    /// Takes note of a state.
    ///
    /// - Returns: whether it is the first time.
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
