import Diagnostics
import Markdown
import Synchronization

/// The highlighted code of a site's pages.
///
/// While pages are parsed, their blocks of code are added, and workers begin with those that the
/// cache does not know. When all are added and ``finish()`` has waited for the workers, each page
/// asks for the code of its own blocks.
final class Highlights: Sendable {
    private struct State {
        var workers: [Task<Void, Never>] = []
        /// Whether the cache has answered.
        var usesCache = false
        /// After the workers have finished.
        var highlighter: HighlighterIdentity?
        var identity: String?
        var unanswered = 0
    }

    private let highlighter: Highlighter
    private let cachePath: String
    private let cache: HighlightCache
    private let blocks: CodeBlocks
    private let queue: HighlightQueue
    private let progress: BuildProgress
    private let state = Mutex(State())

    /// - Parameter scratch: an existing folder for code and answers; `nil` to keep them in memory.
    init(
        _ highlighter: Highlighter,
        cachePath: String,
        scratch: String? = nil,
        _ progress: BuildProgress
    ) {
        self.highlighter = highlighter
        self.cachePath = cachePath
        self.progress = progress
        cache = HighlightCache(at: cachePath, script: highlighter.script)
        blocks = CodeBlocks(in: scratch)
        queue = HighlightQueue(blocks, progress)
    }

    /// The highlights of a build, unless it is a check or has none.
    convenience init?(_ folders: SiteFolders, _ options: BuildOptions) {
        guard options.checks.publishes, folders.configuration.highlights else { return nil }
        self.init(
            Highlighter(),
            cachePath: folders.highlightCache,
            scratch: folders.output,
            options.checks.progress
        )
    }

    /// Ends workers of a build that was given up.
    deinit { queue.close() }

    /// Takes the blocks of a page, from any thread.
    func add(_ document: RenderedDocument) {
        for code in Self.codes(document) where blocks.add(code) {
            if cache.answer(to: code) != nil {
                state.withLock { $0.usesCache = true }
            } else {
                queue.add(code.key)
                startWorkers()
            }
        }
    }

    private static func codes(_ document: RenderedDocument) -> [PlainCode] {
        document.codeBlocks.map { block in
            PlainCode(language: block.language, html: document.html[block.range])
        }
    }

    private func startWorkers() {
        state.withLock { state in
            guard state.workers.count < highlighter.workers(for: queue.count) else { return }
            state.workers.append(Task { [highlighter, queue] in await highlighter.work(queue) })
        }
    }

    /// Waits until the workers have answered all blocks.
    func finish() async {
        queue.close()
        for worker in state.withLock(\.workers) { await worker.value }
        let usesCache = state.withLock(\.usesCache)
        var asked = queue
        if let identity = queue.identity, identity != cache.identity, usesCache {
            // The cache is from another highlighter than the one that is found first, so all blocks
            // are asked.
            state.withLock { $0.usesCache = false }
            asked = HighlightQueue(blocks, progress)
            for key in blocks.keys { asked.add(key) }
            asked.close()
            await withTaskGroup { [highlighter, asked] group in
                for _ in 0..<highlighter.workers(for: asked.count) {
                    group.addTask { await highlighter.work(asked) }
                }
            }
        }
        if blocks.isEmpty { return }
        state.withLock { state in
            state.highlighter = asked.count > 0 ? asked.identity : cache.identity
            state.unanswered = asked.unanswered
            state.identity = asked.unanswered == 0 ? state.highlighter?.text : nil
            state.identity = state.identity ?? "nobody \(UInt64.random(in: 0...(.max)))"
        }
    }

    /// Highlighted code in the order of a page's blocks; after ``finish()``.
    func code(for document: RenderedDocument) -> [HighlightedCode?] {
        let (highlighter, usesCache) = state.withLock { ($0.highlighter, $0.usesCache) }
        if highlighter == nil { return [] }
        return Self.codes(document).map { code in
            if let text = blocks.answer(code.key) {
                return HighlightAnswer(reading: text[...], of: code)?.code
            }
            return usesCache ? cache.answer(to: code)?.code : nil
        }
    }

    /// The highlighter; `nil` if no code needed one.
    ///
    /// Random if some blocks have no answer, so that the next build tries again.
    var identity: String? { state.withLock(\.identity) }

    var diagnostics: [Diagnostic] {
        if blocks.isEmpty { return [] }
        let (highlighter, unanswered) = state.withLock { ($0.highlighter, $0.unanswered) }
        if highlighter == nil {
            let notes = [
                "the Debian package 'python3-pygments' provides it",
                "'highlight = false' in sitegen.toml turns highlighting off",
            ]
            let message = "code is not highlighted: Pygments is not installed"
            return [
                Diagnostic(.noHighlighter, message, at: nil, notes: notes.map { .init($0) })
            ]
        }
        if unanswered == 0 { return [] }
        let blocks = unanswered == 1 ? "1 code block is" : "\(unanswered) code blocks are"
        let message = "\(blocks) not highlighted: the highlighter stopped"
        return [Diagnostic(.noHighlighter, message, at: nil)]
    }

    /// Writes the cache for the next build.
    ///
    /// A cache that cannot be written only costs time then.
    ///
    /// - Parameter mayForget: whether the blocks of all pages were added.
    func save(mayForget: Bool) {
        guard !blocks.isEmpty, let highlighter = state.withLock(\.highlighter) else { return }
        try? cache.write(to: cachePath, blocks, of: highlighter, mayForget: mayForget)
    }
}
