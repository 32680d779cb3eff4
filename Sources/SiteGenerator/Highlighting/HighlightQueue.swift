import Synchronization

/// Blocks of code that the workers highlight.
final class HighlightQueue: Sendable {
    private struct State {
        var next = 0
        var identity: HighlighterIdentity?
        var answers: [HighlightAnswer?]
    }

    private let codes: [PlainCode]
    private let state: Mutex<State>

    init(_ codes: [PlainCode]) {
        self.codes = codes
        state = Mutex(State(answers: Array(repeating: nil, count: codes.count)))
    }

    /// The highlighter; `nil` until a worker has started.
    var identity: HighlighterIdentity? { state.withLock(\.identity) }

    /// In the order of the blocks; `nil` for blocks at which a worker stopped.
    var answers: [HighlightAnswer?] { state.withLock(\.answers) }

    var isEmpty: Bool { state.withLock { $0.next >= codes.count } }

    /// Whether a worker is the same highlighter as the workers before it.
    func admits(_ identity: HighlighterIdentity) -> Bool {
        state.withLock { state in
            state.identity = state.identity ?? identity
            return state.identity == identity
        }
    }

    /// Hands out each block once.
    func next() -> (index: Int, code: PlainCode)? {
        state.withLock { state in
            guard state.next < codes.count else { return nil }
            defer { state.next += 1 }
            return (state.next, codes[state.next])
        }
    }

    func finish(_ index: Int, _ answer: HighlightAnswer) {
        state.withLock { $0.answers[index] = answer }
    }
}
