import Synchronization

/// Runs work with a time limit, also if the work never ends.
///
/// A task group would wait for the work even after the limit, and starting a process may hang for
/// ever if the system has no more threads or descriptors. So the work is cancelled, and not
/// awaited.
public struct TimeLimit: Sendable {
    private let seconds: Int

    public init(seconds: Int) { self.seconds = seconds }

    /// - Parameter isExtended: called at the limit; returns whether the work may continue, because
    ///   something else ends it.
    /// - Returns: `nil` if the work took too long.
    public func run<Value: Sendable>(
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
