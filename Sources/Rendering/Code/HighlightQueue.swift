import Site
import Synchronization

/// Blocks of code that the workers highlight, while pages are still being read.
final class HighlightQueue: Sendable {
    private struct State {
        var waiting: [HighlightKey] = []
        /// The first of ``waiting`` that was not handed out.
        var next = 0
        var isClosed = false
        var identity: HighlighterIdentity?
        /// Workers that wait for a block.
        var idle: [CheckedContinuation<HighlightKey?, Never>] = []
        var finished = 0
        var stopped: Set<HighlightKey> = []
    }

    private let state = Mutex(State())
    private let blocks: CodeBlocks
    private let progress: BuildProgress

    init(_ blocks: CodeBlocks, _ progress: BuildProgress) {
        self.blocks = blocks
        self.progress = progress
    }

    /// The highlighter; `nil` until a worker has started.
    var identity: HighlighterIdentity? { state.withLock(\.identity) }

    /// The number of blocks so far.
    var count: Int { state.withLock(\.waiting.count) }

    /// The number of blocks that no worker has answered.
    var unanswered: Int { state.withLock { $0.waiting.count - $0.finished } }

    /// The blocks at which workers stopped.
    var stopped: Set<HighlightKey> { state.withLock(\.stopped) }

    /// Whether no worker is needed any more.
    var isDone: Bool { state.withLock { $0.isClosed && $0.next == $0.waiting.count } }

    /// Whether a worker is the same highlighter as the workers before it.
    func admits(_ identity: HighlighterIdentity) -> Bool {
        state.withLock { state in
            state.identity = state.identity ?? identity
            return state.identity == identity
        }
    }

    func add(_ key: HighlightKey) {
        let worker = state.withLock { state -> CheckedContinuation<HighlightKey?, Never>? in
            state.waiting.append(key)
            guard let worker = state.idle.popLast() else { return nil }
            state.next += 1
            return worker
        }
        worker?.resume(returning: key)
    }

    /// Nothing is added any more.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { worker.resume(returning: nil) }
    }

    /// Hands out each block once; waits for one until the queue is closed.
    func next() async -> PlainCode? {
        while let key = await nextKey() {
            if let code = blocks.code(key) { return code }
        }
        return nil
    }

    private func nextKey() async -> HighlightKey? {
        await withCheckedContinuation { worker in
            let key = state.withLock { state -> HighlightKey?? in
                if state.next < state.waiting.count {
                    state.next += 1
                    return state.waiting[state.next - 1]
                }
                if state.isClosed { return .some(nil) }
                state.idle.append(worker)
                return nil
            }
            if let key { worker.resume(returning: key) }
        }
    }

    func finish(_ code: PlainCode, _ answer: HighlightAnswer) {
        blocks.keep(answer, to: code.key)
        let (done, total) = state.withLock { state in
            state.finished += 1
            if answer == .plain(.stopped) { state.stopped.insert(code.key) }
            return (state.finished, state.waiting.count)
        }
        progress.tell(.highlighting, done, of: total)
    }
}
