import POSIX
import Subprocess
import Synchronization

/// Runs a tool as a process that answers one block of code after the other.
struct Highlighter: Sendable {
    let tool: CodeTool
    /// The values of `PATH` with which the interpreter is searched, `nil` for the inherited one.
    ///
    /// The first Python with Pygments is used.
    ///
    /// Debian's Python comes first: its package of Pygments belongs to it, whatever else is called
    /// `python3`. The same holds for `node`.
    var searchPaths: [String?] = ["/usr/bin", nil]
    /// The worker's program.
    var script: [UInt8]
    /// A monotonic clock in nanoseconds, for the deadline.
    var now: @Sendable () -> UInt64 = { Host.uptimeNanoseconds }

    /// See ``CodeTool/files``.
    var files: [[String]]

    /// After this time without an answer a worker is killed.
    ///
    /// The worker has stricter limits of its own, and needs time to say which one was reached.
    private static let secondsPerBlock: UInt64 = 40

    /// The number of blocks for which a second worker is started.
    private static let blocksPerWorker = 100
    private static let mostWorkers = 2
    /// The maximum number of workers in a row that cannot answer the sample.
    private static let mostFailures = 3
    /// The maximum size of an answer: more than the worker makes of its largest block.
    private static let mostBytes = 16 << 20
    /// The maximum size of a block; the workers count characters, and have limits of their own.
    private static let mostText = 1 << 19

    init(_ tool: CodeTool = .pygments) {
        self.tool = tool
        script = tool.script
        files = tool.files
    }

    private enum Ending {
        /// The interpreter has no such tool.
        case missing
        /// The worker did not begin, or cannot answer the sample.
        case failed
        /// The worker gave no proper answer to a block, and may be asked again or not.
        case stopped(PlainCode, mayRetry: Bool)
        case finished
    }

    /// The number of workers for this number of blocks.
    func workers(for count: Int) -> Int {
        let wanted = (count + Self.blocksPerWorker - 1) / Self.blocksPerWorker
        return min(wanted, Self.mostWorkers, max(1, ConcurrencyLimit.count))
    }

    /// Highlights blocks as one worker, until the queue is closed and empty, or the worker is given
    /// up.
    func work(_ queue: HighlightQueue) async {
        if isMissing { return }
        // A worker that ends while a block is written to it must not end this process.
        Signals.ignoreBrokenPipes()
        let known = search
        var isCertain = true
        for process in processes {
            let ending = await session(process, queue)
            switch ending {
            case .missing: continue
            case .failed: isCertain = false
            case .stopped, .finished:
                await work(queue, process, after: ending)
                return
            }
        }
        if isCertain { Self.misses.withLock { _ = $0.insert(known) } }
    }

    /// Starts the worker again until all blocks are answered.
    ///
    /// A block that stops a worker is asked once more, and then counts as answered: a block of one
    /// author takes nothing from the pages of others. Before that each new worker answers a sample,
    /// so that a tool that is broken altogether is given up.
    private func work(
        _ queue: HighlightQueue,
        _ process: WorkerProcess,
        after first: Ending
    ) async {
        var ending = first
        var failures = 0
        var again: PlainCode?
        while true {
            switch ending {
            case .finished: return
            case .missing, .failed: failures += 1
            case .stopped(let code, let mayRetry):
                failures = 0
                let isSecond = again?.key == code.key
                again = mayRetry && !isSecond ? code : nil
                if again == nil { queue.finish(code, .plain(.stopped)) }
            }
            if failures == Self.mostFailures || again == nil && queue.isDone { return }
            ending = await session(process, queue, sample: tool.sample, again)
        }
    }

    /// Runs one process from its start to its end.
    ///
    /// The time limit is needed because starting a process hangs if the system has no more threads.
    ///
    /// - Parameters:
    ///   - sample: what the process has to answer first.
    ///   - again: a block that was handed out before.
    private func session(
        _ process: WorkerProcess,
        _ queue: HighlightQueue,
        sample: PlainCode? = nil,
        _ again: PlainCode? = nil
    ) async -> Ending {
        let deadline = HighlightDeadline(seconds: Self.secondsPerBlock, now: now)
        let limit = TimeLimit(seconds: Int(Self.secondsPerBlock))
        let ending = await limit.run(unless: { deadline.hasBegun }) {
            await session(process, queue, deadline, sample: sample, again)
        }
        return ending ?? .failed
    }

    private func session(
        _ process: WorkerProcess,
        _ queue: HighlightQueue,
        _ deadline: HighlightDeadline,
        sample: PlainCode?,
        _ again: PlainCode?
    ) async -> Ending {
        let arguments = tool.arguments(String(decoding: script, as: UTF8.self))
        let result = try? await run(
            process.configuration(arguments),
            input: .inputWriter,
            output: .sequence,
            error: .discarded
        ) { execution in
            deadline.begin()
            async let _: Void = {
                await deadline.pass()
                try? execution.send(signal: .kill)
            }()
            var answers = execution.standardOutput.strings(
                separatedBy: .unicodeScalarSequence(["\0"]),
                bufferingPolicy: .maxLineLength(Self.mostBytes)
            ).makeAsyncIterator()
            guard let hello = try? await answers.next(),
                let identity = HighlighterIdentity(hello: hello, tool, script: script),
                queue.admits(identity)
            else { return Ending.failed }
            var first = [sample, again].compactMap(\.self)[...]
            while true {
                deadline.rest()
                var next = first.popFirst()
                let isSample = next != nil && next?.key == sample?.key
                if next == nil { next = await queue.next() }
                guard let code = next else { return .finished }
                deadline.extend()
                let text = code.text
                if text.count > Self.mostText {
                    queue.finish(code, .plain(.large))
                    continue
                }
                let request = Array("\(code.language) \(text.count)\n".utf8) + text
                guard
                    (try? await execution.standardInputWriter.write(request)) != nil,
                    let bytes = try? await answers.next(),
                    let answer = HighlightAnswer(reading: Array(bytes.utf8)[...], of: code)
                else {
                    return isSample ? .failed : .stopped(code, mayRetry: !deadline.isOver)
                }
                if isSample {
                    guard answer.code != nil else { return .failed }
                } else if answer != .plain(.unavailable) {
                    queue.finish(code, answer)
                }
            }
        }
        guard let result else { return .failed }
        // Nobody killed it, and it knows that the tool is not there.
        if case .failed = result.closureResult, result.terminationStatus == .exited(3) {
            return .missing
        }
        return result.closureResult
    }
}
