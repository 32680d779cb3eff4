import POSIX
import Site
import SiteGenerator
import Synchronization

/// A line on standard error that shows the progress of a build, overwritten in place.
final class ProgressLine: Sendable {
    private struct State {
        var drawn: UInt64 = 0
        var isDrawn = false
        var step: BuildProgress.Step?
        var stepStart: UInt64
    }

    private let isShown: Bool
    private let isVerbose: Bool
    private let start: UInt64
    private let state: Mutex<State>

    /// - Parameter isVerbose: whether each step is printed when it ends, also without a terminal.
    init(isShown: Bool, isVerbose: Bool) {
        self.isShown = isShown
        self.isVerbose = isVerbose
        start = Host.uptimeNanoseconds
        state = Mutex(State(stepStart: start))
    }

    func show(_ step: BuildProgress.Step, _ done: Int, _ total: Int) {
        guard isShown || isVerbose else { return }
        let now = Host.uptimeNanoseconds
        state.withLock { state in
            if state.step != step {
                state.step = step
                state.stepStart = now
            }
            if isVerbose, done == total {
                erase(&state)
                let milliseconds = (now - state.stepStart) / 1_000_000
                StandardError.write("sitegen: \(step.rawValue): \(total) in \(milliseconds) ms\n")
            } else if isShown, now - start > 1_000_000_000, now - state.drawn > 100_000_000 {
                StandardError.write("\r\u{1B}[Ksitegen: \(step.rawValue) \(done) of \(total)")
                state.drawn = now
                state.isDrawn = true
            }
        }
    }

    func clear() { state.withLock { erase(&$0) } }

    private func erase(_ state: inout State) {
        if state.isDrawn { StandardError.write("\r\u{1B}[K") }
        state.isDrawn = false
    }
}
