import POSIX
import Synchronization

/// When a worker has to have answered.
final class HighlightDeadline: Sendable {
    private let seconds: Double
    private let end: Atomic<UInt64>

    init(seconds: Double) {
        self.seconds = seconds
        end = Atomic(0)
        extend()
    }

    /// Gives the worker its time from now on.
    func extend() {
        let end = Host.uptimeNanoseconds + UInt64(seconds * 1e9)
        self.end.store(end, ordering: .relaxed)
    }

    /// Waits until the time is over, or until nobody waits for that any more.
    func pass() async {
        while !Task.isCancelled, Host.uptimeNanoseconds < end.load(ordering: .relaxed) {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
