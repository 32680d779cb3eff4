import Diagnostics
import Markdown
import OpenSSL
import Rules
import Site
import Synchronization

/// What one tool makes of the code of a site's pages.
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
        var unanswered = 0
        /// The blocks at which workers stopped in earlier builds.
        var stopped: Set<HighlightKey> = []
        var diagnostics: [Diagnostic] = []
        /// Where the sources of drawings begin.
        var places: [HighlightKey: [SourceLocation]] = [:]
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
        cache = HighlightCache(at: cachePath, highlighter)
        blocks = CodeBlocks(in: scratch)
        queue = HighlightQueue(blocks, progress)
    }

    /// Ends workers of a build that was given up.
    deinit { queue.close() }

    /// Takes the blocks of a page, from any thread.
    ///
    /// - Parameter location: of a place in the document.
    func add(
        _ document: RenderedDocument,
        location: (SourceRange) -> SourceLocation = { SourceLocation("", line: $0.line) }
    ) {
        for (block, code) in zip(document.codeBlocks, codes(document)) {
            guard let code else { continue }
            if tool != .pygments {
                let place = location(block.source)
                state.withLock { $0.places[code.key, default: []].append(place) }
            }
            guard blocks.add(code) else { continue }
            if let answer = cache.answer(to: code) {
                state.withLock { state in
                    state.usesCache = true
                    if answer == .plain(.stopped) { state.stopped.insert(code.key) }
                }
            } else {
                queue.add(code.key)
                startWorkers()
            }
        }
    }

    private var tool: CodeTool { highlighter.tool }

    /// The blocks of a document; `nil` for those of other tools.
    private func codes(_ document: RenderedDocument) -> [PlainCode?] {
        document.codeBlocks.map { block in
            guard CodeTool(codeBlock: block.language) == tool else { return nil }
            return PlainCode(language: block.language, html: document.html[block.range])
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
            state.withLock { state in
                state.usesCache = false
                state.stopped = []
            }
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
        let found = asked.count > 0 ? asked.identity : cache.identity
        state.withLock { state in
            state.highlighter = found
            state.unanswered = asked.unanswered
            state.stopped.formUnion(asked.stopped)
        }
        let mistakes = tool == .pygments ? [] : mistakes
        state.withLock { $0.diagnostics = mistakes }
    }

    /// Highlighted code in the order of a page's blocks; after ``finish()``.
    func code(for document: RenderedDocument) -> [HighlightedCode?] {
        let (highlighter, usesCache) = state.withLock { ($0.highlighter, $0.usesCache) }
        if highlighter == nil { return [] }
        return codes(document).map { code in
            guard let code else { return nil }
            if let text = blocks.answer(code.key) {
                return HighlightAnswer(reading: text[...], of: code)?.code
            }
            return usesCache ? cache.answer(to: code)?.code : nil
        }
    }

    var diagnostics: [Diagnostic] {
        blocks.isEmpty ? [] : problem + state.withLock(\.diagnostics)
    }

    /// What is wrong with the sources of drawings.
    private var mistakes: [Diagnostic] {
        let (highlighter, usesCache) = state.withLock { ($0.highlighter, $0.usesCache) }
        let places = state.withLock(\.places)
        guard highlighter != nil, !places.isEmpty else { return [] }
        return places.flatMap { key, places -> [Diagnostic] in
            guard let code = blocks.code(key) else { return [] }
            // A baseline knows a drawing by its source, whatever is wrong with it.
            let subject = Digest.hexadecimal(key.bytes.prefix(8))
            let answer =
                blocks.answer(key).flatMap { HighlightAnswer(reading: $0[...], of: code) }
                ?? (usesCache ? cache.answer(to: code) : nil)
            guard let answer, answer != .plain(.stopped) else {
                return places.map { unanswered(at: $0, subject) }
            }
            guard let message = answer.mistake(tool) else { return [] }
            return places.map {
                Diagnostic(.drawing, message.text, at: message.place($0), subject: subject)
            }
        }
    }

    private func unanswered(at place: SourceLocation, _ subject: String) -> Diagnostic {
        let (what, shown) = tool == .katex ? ("formula", "TeX") : ("diagram", "text")
        let message = "\(tool.name) stopped at this \(what), which is shown as \(shown)"
        let note = "deleting '\(cachePath)' makes sitegen try again"
        let notes = [Diagnostic.Note(note)]
        return Diagnostic(tool.rule, message, at: place, notes: notes, subject: subject)
    }

    /// Why blocks have no answer.
    private var problem: [Diagnostic] {
        let (highlighter, unanswered) = state.withLock {
            ($0.highlighter, $0.unanswered + $0.stopped.count)
        }
        if highlighter == nil {
            let message = "\(tool.effect): \(tool.name) is not installed"
            return [
                Diagnostic(tool.rule, message, at: nil, notes: tool.remedies.map { .init($0) })
            ]
        }
        // Drawings have places.
        if unanswered == 0 || tool != .pygments { return [] }
        let blocks = unanswered == 1 ? "1 block" : "\(unanswered) blocks"
        let message = "\(tool.effect) everywhere: \(tool.name) stopped at \(blocks)"
        return [Diagnostic(tool.rule, message, at: nil)]
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
