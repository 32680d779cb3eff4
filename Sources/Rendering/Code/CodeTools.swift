import Diagnostics
import Markdown
import Site

/// The tools that a build needs for the code of its pages.
///
/// A page's blocks are added when it is parsed. After ``finish()``, each page asks for what the tools
/// made of its own.
package struct CodeTools: Sendable {
    private let tools: [(tool: CodeTool, highlights: Highlights)]

    /// - Parameter scratch: an existing folder for code and answers; `nil` to keep them in memory.
    package init(_ folders: SiteFolders, _ options: BuildOptions, scratch: String? = nil) {
        tools = CodeTool.allCases.filter { Self.isNeeded($0, folders, options) }.map { tool in
            let highlights = Highlights(
                Highlighter(tool),
                cachePath: folders.cache(tool.cacheName),
                scratch: scratch,
                options.checks.progress
            )
            return (tool, highlights)
        }
    }

    /// Colours can go without a word, so that a check needs none; a drawing may be wrong.
    private static func isNeeded(
        _ tool: CodeTool,
        _ folders: SiteFolders,
        _ options: BuildOptions
    ) -> Bool {
        switch tool {
        case .pygments: options.checks.publishes && folders.configuration.highlights
        case .katex: folders.configuration.markdown.formulas
        case .graphviz, .plantuml, .merman: folders.configuration.markdown.diagrams
        }
    }

    /// Takes the blocks of a page, from any thread.
    package func add(_ document: RenderedDocument, location: (SourceRange) -> SourceLocation) {
        if document.codeBlocks.isEmpty { return }
        for (_, highlights) in tools { highlights.add(document, location: location) }
    }

    /// Waits until all blocks are answered.
    package func finish() async {
        for (_, highlights) in tools { await highlights.finish() }
    }

    /// What stands for the blocks of a page, in their order; after ``finish()``.
    package func code(for document: RenderedDocument) -> [HighlightedCode?] {
        if document.codeBlocks.isEmpty { return [] }
        var code = Array(repeating: HighlightedCode?.none, count: document.codeBlocks.count)
        for (_, highlights) in tools {
            for (index, answer) in highlights.code(for: document).enumerated() {
                if let answer { code[index] = answer }
            }
        }
        return code
    }

    package var diagnostics: [Diagnostic] { tools.flatMap(\.highlights.diagnostics) }

    /// Writes the caches for the next build.
    ///
    /// - Parameter mayForget: whether the blocks of all pages were added.
    package func save(mayForget: Bool) {
        for (_, highlights) in tools { highlights.save(mayForget: mayForget) }
    }
}
