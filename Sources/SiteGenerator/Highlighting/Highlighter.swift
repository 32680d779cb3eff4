import POSIX
import Subprocess

/// Pygments, run as a process that answers for one block of code after the other.
struct Highlighter: Sendable {
    /// Where 'python3' is looked for, as `PATH` has it, `nil` for the inherited one; the first that
    /// has Pygments is taken.
    ///
    /// Debian's own first: that is where its package goes, whatever else is called 'python3'.
    var searchPaths: [String?] = ["/usr/bin", nil]
    /// The worker's program.
    var script = PackageResources.highlight_py
    /// The nanoseconds of the clock by which a worker has to answer.
    var now: @Sendable () -> UInt64 = { Host.uptimeNanoseconds }

    /// After so long without an answer a worker is ended; it has stricter limits of its own, and
    /// keeps them.
    private static let secondsPerBlock: UInt64 = 20

    /// How many blocks are worth a second worker.
    private static let blocksPerWorker = 100
    private static let mostWorkers = 2
    /// How often a worker is started again in one build.
    private static let mostRestarts = 10
    /// More than the worker makes of the largest block that it takes.
    private static let mostBytes = 16 << 20

    private enum Ending {
        case notThere, stopped, finished
    }

    /// Asks for each block, until all are answered or no worker is left.
    func queue(_ codes: [PlainCode], _ progress: BuildProgress) async -> HighlightQueue {
        let queue = HighlightQueue(codes)
        let count = progress.counting(.highlighting, of: codes.count) { (_: Int) in }
        // A worker that ends while a block is written to it is none of a reader's business.
        Signals.ignoreBrokenPipes()
        let wanted = (codes.count + Self.blocksPerWorker - 1) / Self.blocksPerWorker
        await withTaskGroup { group in
            for _ in 0..<max(1, min(wanted, Self.mostWorkers, ConcurrencyLimit.count)) {
                group.addTask { await work(through: queue, count) }
            }
        }
        return queue
    }

    private func work(
        through queue: HighlightQueue,
        _ count: @escaping @Sendable (Int) -> Void
    ) async {
        for path in searchPaths {
            var ending = Ending.stopped
            var starts = 0
            while ending == .stopped, starts <= Self.mostRestarts, !queue.isEmpty {
                ending = await session(path, queue, count)
                starts += 1
            }
            if ending != .notThere { return }
        }
    }

    /// One process from its start to its end.
    ///
    /// Where the system gives no more threads, starting a process never ends.
    private func session(
        _ path: String?,
        _ queue: HighlightQueue,
        _ count: @escaping @Sendable (Int) -> Void
    ) async -> Ending {
        let deadline = HighlightDeadline(seconds: Self.secondsPerBlock, now: now)
        let limit = TimeLimit(seconds: Int(Self.secondsPerBlock))
        let ending = await limit.run(unless: { deadline.hasBegun }) {
            await session(path, queue, deadline, count)
        }
        return ending ?? .notThere
    }

    private func session(
        _ path: String?,
        _ queue: HighlightQueue,
        _ deadline: HighlightDeadline,
        _ count: @escaping @Sendable (Int) -> Void
    ) async -> Ending {
        let configuration = Configuration(
            executable: .name("python3"),
            // Isolated: neither the folder it runs in nor variables have a say in what it loads.
            arguments: ["-I", "-c", String(decoding: script, as: UTF8.self)],
            environment: path.map { .inherit.updating(["PATH": $0]) } ?? .inherit
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
                let identity = HighlighterIdentity(hello: hello, script: script),
                queue.admits(identity)
            else { return Ending.notThere }
            while let (index, code) = queue.next() {
                deadline.extend()
                let request = Array("\(code.language) ".utf8)
                let text = code.text
                let header = request + Array("\(text.count)\n".utf8)
                guard
                    (try? await execution.standardInputWriter.write(header + text)) != nil,
                    let bytes = try? await answers.next(),
                    let answer = HighlightAnswer(reading: Array(bytes.utf8)[...], of: code)
                else { return .stopped }
                queue.finish(index, answer)
                count(index)
            }
            return .finished
        }
        return result?.closureResult ?? .notThere
    }
}
