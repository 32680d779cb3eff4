import Synchronization

/// A fixed number of threads, and the jobs that wait for them, first come, first served.
public final class WorkerPool: Sendable {
    public typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [Job?] = []
        /// The number of jobs at the start of ``waiting`` that were taken; they are removed
        /// together.
        var taken = 0
        var busy = 0
        var isStopping = false
    }

    public let threads: Int
    /// The greatest number of waiting jobs.
    public let maximumWaiting: Int
    private let state = Monitor(State())

    public init(threads: Int, maximumWaiting: Int) {
        self.threads = threads
        self.maximumWaiting = maximumWaiting
    }

    /// The number of threads that are working on a job.
    public var busyThreads: Int { state.withLock(\.busy) }

    /// The number of jobs that wait for a thread.
    public var waitingJobs: Int { state.withLock { $0.waiting.count - $0.taken } }

    public func start() throws(SystemError) {
        for _ in 0..<threads { try WorkerThread.start { self.work() } }
    }

    /// Adds a job.
    ///
    /// - Returns: `false` if too many jobs wait; then the job is dropped.
    public func add(_ job: @escaping Job) -> Bool {
        state.withLock(waking: .one) { state in
            guard state.waiting.count - state.taken < maximumWaiting, !state.isStopping else {
                return false
            }
            state.waiting.append(job)
            return true
        }
    }

    /// Accepts no further jobs, and waits up to `milliseconds` for the present ones.
    ///
    /// - Returns: whether all jobs were finished.
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

    /// - Returns: `nil` if the pool is stopping and no job is left.
    private func next() -> Job? {
        let found = state.wait { state -> Job?? in
            guard state.taken < state.waiting.count else {
                return state.isStopping ? .some(nil) : nil
            }
            let job = state.waiting[state.taken]
            state.waiting[state.taken] = nil
            state.taken += 1
            // Removing them one by one would take quadratic time.
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
