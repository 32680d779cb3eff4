import Synchronization

/// Blocks of code on their way through the workers.
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

    /// Who answers; `nil` until a worker has started.
    var identity: HighlighterIdentity? { state.withLock(\.identity) }

    /// In the order of the blocks; `nil` for those that the workers stopped at.
    var answers: [HighlightAnswer?] { state.withLock(\.answers) }

    var isEmpty: Bool { state.withLock { $0.next >= codes.count } }

    /// Whether a worker is the same highlighter as those before it.
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
