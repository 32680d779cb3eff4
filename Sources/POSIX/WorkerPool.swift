import Synchronization

/// A fixed number of threads and the jobs that wait for them, first come, first served.
public final class WorkerPool: Sendable {
    public typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [Job?] = []
        /// How many of ``waiting`` were taken; they leave the array together.
        var taken = 0
        var busy = 0
        var isStopping = false
    }

    public let threads: Int
    /// How many jobs may wait.
    public let maximumWaiting: Int
    private let state = Monitor(State())

    public init(threads: Int, maximumWaiting: Int) {
        self.threads = threads
        self.maximumWaiting = maximumWaiting
    }

    /// How many threads work on a job now.
    public var busyThreads: Int { state.withLock(\.busy) }

    /// How many jobs wait for a thread.
    public var waitingJobs: Int { state.withLock { $0.waiting.count - $0.taken } }

    public func start() throws(SystemError) {
        for _ in 0..<threads { try WorkerThread.start { self.work() } }
    }

    /// Lets a job wait for a thread.
    ///
    /// - Returns: `false`, and the job is not done, where too many wait.
    public func add(_ job: @escaping Job) -> Bool {
        state.withLock(waking: .one) { state in
            guard state.waiting.count - state.taken < maximumWaiting, !state.isStopping else {
                return false
            }
            state.waiting.append(job)
            return true
        }
    }

    /// Takes no further job, and waits for those that are here, as long as `milliseconds`.
    ///
    /// - Returns: whether all were done.
    public func stop(waiting milliseconds: Int) -> Bool {
        state.withLock(waking: .all) { $0.isStopping = true }
        return state.wait(milliseconds: milliseconds) { state in
            state.busy == 0 && state.waiting.count == state.taken ? true : nil
        } ?? false
    }

    private func work() {
        while let job = next() {
            job()
            let isLast = state.withLock { state in
                state.busy -= 1
                return state.isStopping && state.busy == 0
            }
            if isLast { state.withLock(waking: .all) { _ in } }
        }
    }

    /// - Returns: `nil` when there is nothing more to do for ever.
    private func next() -> Job? {
        let found = state.wait { state -> Job?? in
            guard state.taken < state.waiting.count else {
                return state.isStopping ? .some(nil) : nil
            }
            let job = state.waiting[state.taken]
            state.waiting[state.taken] = nil
            state.taken += 1
            // Moving the rest each time would cost the square of their number.
            if state.taken * 2 >= state.waiting.count {
                state.waiting.removeFirst(state.taken)
                state.taken = 0
            }
            state.busy += 1
            return job
        }
        return found ?? nil
    }
}
