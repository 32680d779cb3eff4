import Synchronization

/// The time at which a worker must have answered.
final class HighlightDeadline: Sendable {
    private let seconds: UInt64
    private let now: @Sendable () -> UInt64
    private let end: Atomic<UInt64>
    private let begun = Atomic(false)

    /// - Parameter now: the nanoseconds of a monotonic clock.
    init(seconds: UInt64, now: @escaping @Sendable () -> UInt64) {
        self.seconds = seconds
        self.now = now
        end = Atomic(0)
        extend()
    }

    /// Whether the worker runs.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func begin() {
        begun.store(true, ordering: .relaxed)
        extend()
    }

    /// Restarts the worker's time.
    func extend() {
        end.store(now() + seconds * 1_000_000_000, ordering: .relaxed)
    }

    /// Stops the worker's time, because it has nothing to do.
    func rest() { end.store(.max, ordering: .relaxed) }

    var isOver: Bool { now() >= end.load(ordering: .relaxed) }

    /// Waits until the time is over, or until the task is cancelled.
    func pass() async {
        while !Task.isCancelled, !isOver {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
