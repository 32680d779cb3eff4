import Diagnostics
import Markdown
import POSIX

/// The highlighted code of a site's pages.
struct Highlights: Sendable {
    private(set) var diagnostics: [Diagnostic] = []
    /// The highlighter; `nil` if no code needed one.
    ///
    /// Random if some blocks have no answer, so that the next build tries again.
    private(set) var identity: String?
    /// By page, in the order of its blocks.
    private var codes: [[HighlightedCode?]] = []

    /// A different text each time: a block without an answer now may have one in the next build.
    private static var nobody: String { "nobody \(UInt64.random(in: 0...(.max)))" }

    /// No highlighting.
    init() {}

    /// Takes known blocks from the cache, and asks the highlighter for the others.
    ///
    /// - Parameter documents: of the pages; `nil` for a page that is reused unchanged.
    init(
        _ documents: [RenderedDocument?],
        _ highlighter: Highlighter,
        cachePath: String,
        _ progress: BuildProgress
    ) async {
        let blocks = await documents.concurrentMap { document -> [PlainCode] in
            guard let document else { return [] }
            return document.codeBlocks.map { block in
                PlainCode(language: block.language, html: document.html[block.range])
            }
        }
        var indices: [String: Int] = [:]
        var distinct: [PlainCode] = []
        for code in blocks.joined() where indices[code.key] == nil {
            indices[code.key] = distinct.count
            distinct.append(code)
        }
        if distinct.isEmpty { return }
        let cache = HighlightCache(readingFrom: cachePath, script: highlighter.script)
        var answers = await distinct.concurrentMap { cache.answer(to: $0) }
        let fresh = await Self.ask(highlighter, distinct, &answers, cache, progress)
        if fresh.identity == nil { answers = answers.map { _ in nil } }
        let isComplete = answers.allSatisfy { $0 != nil }
        identity = isComplete ? fresh.identity?.text : Self.nobody
        diagnostics = Self.diagnostics(fresh.identity, unanswered: answers.count { $0 == nil })
        codes = blocks.map { codes in
            codes.map { code in indices[code.key].flatMap { answers[$0]?.code } }
        }
        if let identity = fresh.identity,
            let file = cache.file(
                after: distinct,
                answers: fresh.answers,
                of: identity,
                mayForget: !documents.contains { $0 == nil }
            )
        {
            Self.write(file, to: cachePath)
        }
    }

    /// Highlighted code in the order of the page's blocks.
    func code(ofPage index: Int) -> [HighlightedCode?] {
        codes.indices.contains(index) ? codes[index] : []
    }

    /// Asks the highlighter for the blocks without an answer.
    ///
    /// - Returns: the highlighter, and its new answers.
    private static func ask(
        _ highlighter: Highlighter,
        _ codes: [PlainCode],
        _ answers: inout [HighlightAnswer?],
        _ cache: HighlightCache,
        _ progress: BuildProgress
    ) async -> (identity: HighlighterIdentity?, answers: [HighlightAnswer?]) {
        var fresh = codes.map { _ -> HighlightAnswer? in nil }
        var missing = answers.indices.filter { answers[$0] == nil }
        if missing.isEmpty { return (cache.identity, fresh) }
        var queue = await highlighter.queue(missing.map { codes[$0] }, progress)
        if let identity = queue.identity, identity != cache.identity, missing.count < codes.count {
            // The cache is from another highlighter than the one that is found first, so all blocks
            // are asked.
            missing = Array(codes.indices)
            queue = await highlighter.queue(codes, progress)
        }
        for (index, answer) in zip(missing, queue.answers) {
            answers[index] = answer
            fresh[index] = answer
        }
        return (queue.identity, fresh)
    }

    private static func diagnostics(
        _ identity: HighlighterIdentity?,
        unanswered: Int
    ) -> [Diagnostic] {
        if identity == nil {
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

    /// A cache that cannot be written only costs time in the next build.
    private static func write(_ bytes: [UInt8], to path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let partial = path + ".partial"
        do {
            try Folder.create(String(path[..<slash]))
            try File.write(bytes, to: partial)
            try File.rename(partial, to: path)
        } catch {}
    }
}
