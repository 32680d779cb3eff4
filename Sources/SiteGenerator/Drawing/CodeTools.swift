import Diagnostics
import Markdown

/// The tools that a build needs for the code of its pages.
///
/// A page's blocks are added when it is parsed. After ``finish()``, each page asks for what the tools
/// made of its own.
struct CodeTools: Sendable {
    private let tools: [(tool: CodeTool, highlights: Highlights)]

    init(_ folders: SiteFolders, _ options: BuildOptions) {
        tools = CodeTool.allCases.filter { Self.isNeeded($0, folders, options) }.map { tool in
            let highlights = Highlights(
                Highlighter(tool),
                cachePath: folders.cache(of: tool),
                scratch: options.checks.publishes ? folders.output : nil,
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
        case .graphviz, .plantuml: folders.configuration.markdown.diagrams
        }
    }

    /// Takes the blocks of a page, from any thread.
    func add(_ document: RenderedDocument, location: (SourceRange) -> SourceLocation) {
        if document.codeBlocks.isEmpty { return }
        for (_, highlights) in tools { highlights.add(document, location: location) }
    }

    /// Waits until all blocks are answered.
    func finish() async {
        for (_, highlights) in tools { await highlights.finish() }
    }

    /// What stands for the blocks of a page, in their order; after ``finish()``.
    func code(for document: RenderedDocument) -> [HighlightedCode?] {
        if document.codeBlocks.isEmpty { return [] }
        var code = Array(repeating: HighlightedCode?.none, count: document.codeBlocks.count)
        for (_, highlights) in tools {
            for (index, answer) in highlights.code(for: document).enumerated() {
                if let answer { code[index] = answer }
            }
        }
        return code
    }

    /// The tools that answered, and for the others those of the cache.
    func identities(or cached: ToolIdentities) -> ToolIdentities {
        var identities = cached
        for (tool, highlights) in tools {
            if highlights.isMissing { identities.setMissing(tool) }
            if let identity = highlights.identity { identities.set(tool, identity) }
        }
        return identities
    }

    var diagnostics: [Diagnostic] { tools.flatMap(\.highlights.diagnostics) }

    /// Whether the next build has the same ``diagnostics``, if nothing is changed or installed.
    var isSettled: Bool { tools.allSatisfy(\.highlights.isSettled) }

    /// Whether a page has findings, which the next build has to find again.
    func hasFindings(_ document: RenderedDocument) -> Bool {
        !document.codeBlocks.isEmpty && tools.contains { $0.highlights.concern(document) }
    }

    /// Writes the caches for the next build.
    ///
    /// - Parameter mayForget: whether the blocks of all pages were added.
    func save(mayForget: Bool) {
        for (_, highlights) in tools { highlights.save(mayForget: mayForget) }
    }
}

/// Which tools gave their form to code: the same tools give the same HTML.
struct ToolIdentities: Sendable, Equatable {
    /// See ``HighlighterIdentity/text``.
    private var texts: [CodeTool: String] = [:]
    /// Those that are not installed.
    private var missing: Set<CodeTool> = []

    init() {}

    /// Those that the caches of earlier builds identify, and those that are not installed.
    init(of folders: SiteFolders) async {
        for tool in CodeTool.allCases {
            let worker = Highlighter(tool)
            let path = folders.cache(of: tool)
            if worker.isMissing {
                missing.insert(tool)
            } else if let identity = HighlightCache.identity(at: path, worker) {
                texts[tool] = identity.text
            } else if HighlightCache.saysMissing(at: path), await worker.isMissingAfterSearch() {
                missing.insert(tool)
            }
        }
    }

    mutating func set(_ tool: CodeTool, _ identity: String) {
        texts[tool] = identity
        missing.remove(tool)
    }

    mutating func setMissing(_ tool: CodeTool) {
        texts[tool] = nil
        missing.insert(tool)
    }

    /// `nil` if one of the tools is not known or not installed.
    func text(of tools: Set<CodeTool>) -> String? {
        var text = ""
        for tool in CodeTool.allCases where tools.contains(tool) {
            guard let identity = texts[tool] else { return nil }
            text += identity + "\n"
        }
        return text
    }

    /// All that are known.
    var text: String {
        CodeTool.allCases.map { missing.contains($0) ? "missing" : texts[$0] ?? "" }
            .joined(separator: "\n")
    }
}
