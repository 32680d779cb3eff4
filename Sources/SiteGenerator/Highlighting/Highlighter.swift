import POSIX
import Subprocess

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

    /// After this time without an answer a worker is killed.
    ///
    /// The worker has stricter limits of its own.
    private static let secondsPerBlock: UInt64 = 20

    /// The number of blocks for which a second worker is started.
    private static let blocksPerWorker = 100
    private static let mostWorkers = 2
    /// The maximum number of restarts in one build.
    private static let mostRestarts = 10
    /// The maximum size of an answer: more than the worker makes of its largest block.
    private static let mostBytes = 16 << 20

    init(_ tool: CodeTool = .pygments) {
        self.tool = tool
        script = tool.script
    }

    private enum Ending {
        case notThere, stopped, finished
    }

    /// The number of workers for this number of blocks.
    func workers(for count: Int) -> Int {
        let wanted = (count + Self.blocksPerWorker - 1) / Self.blocksPerWorker
        return min(wanted, Self.mostWorkers, max(1, ConcurrencyLimit.count))
    }

    /// Highlights blocks as one worker, until the queue is closed and empty, or the worker is given
    /// up.
    func work(_ queue: HighlightQueue) async {
        // A worker that ends while a block is written to it must not end this process.
        Signals.ignoreBrokenPipes()
        for path in searchPaths {
            var ending = Ending.stopped
            var starts = 0
            while ending == .stopped, starts <= Self.mostRestarts, !queue.isDone {
                ending = await session(path, queue)
                starts += 1
            }
            if ending != .notThere { return }
        }
    }

    /// Runs one process from its start to its end.
    ///
    /// The time limit is needed because starting a process hangs if the system has no more threads.
    private func session(
        _ path: String?,
        _ queue: HighlightQueue
    ) async -> Ending {
        let deadline = HighlightDeadline(seconds: Self.secondsPerBlock, now: now)
        let limit = TimeLimit(seconds: Int(Self.secondsPerBlock))
        let ending = await limit.run(unless: { deadline.hasBegun }) {
            await session(path, queue, deadline)
        }
        return ending ?? .notThere
    }

    private func session(
        _ path: String?,
        _ queue: HighlightQueue,
        _ deadline: HighlightDeadline
    ) async -> Ending {
        let configuration = Configuration(
            executable: .name(tool.interpreter),
            arguments: Arguments(tool.arguments(String(decoding: script, as: UTF8.self))),
            environment: .inherit.updating(tool.environment(path: path))
        )
        let result = try? await run(
            configuration,
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
            else { return Ending.notThere }
            while true {
                deadline.rest()
                guard let code = await queue.next() else { return .finished }
                deadline.extend()
                let request = Array("\(code.language) ".utf8)
                let text = code.text
                let header = request + Array("\(text.count)\n".utf8)
                guard
                    (try? await execution.standardInputWriter.write(header + text)) != nil,
                    let bytes = try? await answers.next(),
                    let answer = HighlightAnswer(reading: Array(bytes.utf8)[...], of: code)
                else { return .stopped }
                queue.finish(code, answer)
            }
        }
        return result?.closureResult ?? .notThere
    }
}
