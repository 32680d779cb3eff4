import Synchronization

/// Lets so many be inside at once, and turns the others away.
///
/// A callback waits for Entra, and anybody can begin one. Without it, forty of them at a slow Entra
/// would hold all threads, and nobody could so much as sign out.
final class Turnstile: Sendable {
    private let capacity: Int
    private let inside = Atomic<Int>(0)

    init(capacity: Int) { self.capacity = capacity }

    /// What `work` returns, or `nil` if there was no room.
    func pass<Result, Failure>(
        _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        defer { inside.subtract(1, ordering: .relaxed) }
        guard inside.add(1, ordering: .relaxed).newValue <= capacity else { return nil }
        return try work()
    }
}
