import Markdown
import Subprocess

/// A program that gives code another form: colours, or that of a formula or a diagram.
///
/// The raw value is its name in the first line of its worker.
enum CodeTool: String, Sendable, CaseIterable {
    case pygments, katex, graphviz, plantuml

    /// - Parameter language: of a block of ``RenderedDocument/codeBlocks``.
    init(codeBlock language: String) {
        switch DrawnLanguage(codeBlock: language) {
        case .math: self = .katex
        case .dot: self = .graphviz
        case .plantuml: self = .plantuml
        case nil: self = .pygments
        }
    }

    /// The tools that a page needs.
    static func needed(
        by document: RenderedDocument,
        _ configuration: SiteConfiguration
    ) -> Set<CodeTool> {
        var tools = Set(document.codeBlocks.map { CodeTool(codeBlock: $0.language) })
        if !configuration.highlights { tools.remove(.pygments) }
        return tools
    }

    /// The name of its cache in `.sitegen/cache`.
    var cacheName: String { self == .pygments ? "highlight" : rawValue }

    // MARK: The worker

    /// The worker's program.
    var script: [UInt8] {
        switch self {
        case .pygments: PackageResources.highlight_py
        case .katex: PackageResources.katex_js
        case .graphviz, .plantuml: PackageResources.draw_py
        }
    }

    var interpreter: String { self == .katex ? "node" : "python3" }

    func arguments(_ script: String) -> [String] {
        switch self {
        // Isolated (`-I`): neither the working folder nor environment variables decide which
        // modules are loaded.
        case .pygments: ["-I", "-c", script]
        case .graphviz: ["-I", "-c", script, "dot"]
        case .plantuml: ["-I", "-c", script, "plantuml"]
        case .katex:
            ["--max-old-space-size=512", "--disallow-code-generation-from-strings", "-e", script]
        }
    }

    /// - Parameter path: `PATH`; `nil` for the inherited one.
    func environment(path: String?) -> [Environment.Key: String?] {
        var values: [Environment.Key: String?] = [:]
        if let path { values["PATH"] = path }
        // Node has no isolated mode.
        if self == .katex {
            for name in ["NODE_OPTIONS", "NODE_PATH"] {
                values[Environment.Key(stringLiteral: name)] = .some(nil)
            }
        }
        return values
    }

    // MARK: Messages

    var name: String {
        switch self {
        case .pygments: "Pygments"
        case .katex: "KaTeX"
        case .graphviz: "Graphviz"
        case .plantuml: "PlantUML"
        }
    }

    /// What happens without it.
    var effect: String {
        switch self {
        case .pygments: "code is not highlighted"
        case .katex: "formulas are shown as TeX"
        case .graphviz, .plantuml: "diagrams are shown as text"
        }
    }

    var remedies: [String] {
        let (package, setting) =
            switch self {
            case .pygments:
                ("python3-pygments", "'highlight = false' in sitegen.toml turns highlighting off")
            case .katex: ("katex", "'formulas = false' in sitegen.toml makes dollar signs text")
            case .graphviz:
                ("graphviz", "'diagrams = false' in sitegen.toml shows diagrams as code")
            case .plantuml:
                ("plantuml", "'diagrams = false' in sitegen.toml shows diagrams as code")
            }
        return ["the Debian package '\(package)' provides it", setting]
    }

    var rule: Rule { self == .pygments ? .noHighlighter : .noDrawings }
}
