import Synchronization

/// An end to waiting for work that may never end.
///
/// A task group would wait for the work even after its time; starting a process may hang for ever
/// where the system gives no more threads or descriptors. The work is cancelled and left behind.
struct TimeLimit: Sendable {
    let seconds: Int

    /// - Parameter isExtended: is asked when the time is over: whether the work may go on, since
    ///   something else ends it.
    /// - Returns: `nil` where the work took too long.
    func run<Value: Sendable>(
        unless isExtended: @escaping @Sendable () -> Bool = { false },
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (values, end) = AsyncStream<Value?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let working = Task { end.yield(await work()) }
        let waiting = Task {
            try? await Task.sleep(for: .seconds(seconds))
            if !isExtended() { end.yield(nil) }
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        for await value in values { return value }
        return nil
    }
}
