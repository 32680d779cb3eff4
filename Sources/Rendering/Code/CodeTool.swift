import Markdown
import Rules
import Site

/// A program that gives code another form: colours, or that of a formula or a diagram.
///
/// The raw value is its name in the first line of its worker.
package enum CodeTool: String, Sendable, CaseIterable {
    case pygments, katex, graphviz, plantuml, merman

    /// - Parameter language: of a block of ``RenderedDocument/codeBlocks``.
    package init(codeBlock language: String) {
        switch DrawnLanguage(codeBlock: language) {
        case .math: self = .katex
        case .dot: self = .graphviz
        case .plantuml: self = .plantuml
        case .mermaid: self = .merman
        case nil: self = .pygments
        }
    }

    /// The name of its cache in `.sitegen/cache`.
    var cacheName: String { self == .pygments ? "highlight" : rawValue }

    // MARK: The worker

    /// The worker's program.
    package var script: [UInt8] {
        switch self {
        case .pygments: PackageResources.highlight_py
        case .katex: PackageResources.katex_js
        case .graphviz, .plantuml, .merman: PackageResources.draw_py
        }
    }

    var interpreter: String { self == .katex ? "node" : "python3" }

    /// Files of Debian's packages, one of each list; the worker gets their names.
    ///
    /// Where one is missing, no process is started to find that out. Pygments and merman are wherever
    /// their Python looks for modules.
    package var files: [[String]] {
        switch self {
        case .pygments, .merman: []
        case .katex:
            [["/usr/share/javascript/katex/katex.js", "/usr/share/nodejs/katex/dist/katex.js"]]
        case .graphviz: [["/usr/bin/dot"]]
        case .plantuml: [["/usr/bin/java"], ["/usr/share/plantuml/plantuml.jar"]]
        }
    }

    package func arguments(_ script: String) -> [String] {
        let files = files.flatMap(\.self)
        return switch self {
        // Isolated (`-I`): neither the working folder nor environment variables decide which
        // modules are loaded.
        case .pygments: ["-I", "-c", script]
        case .graphviz: ["-I", "-c", script, "dot"] + files
        case .plantuml: ["-I", "-c", script, "plantuml"] + files
        case .merman: ["-I", "-c", script, "mermaid"]
        case .katex:
            ["--max-old-space-size=512", "--disallow-code-generation-from-strings", "-e", script]
                + files
        }
    }

    /// What each worker of this tool draws if the tool is not broken.
    var sample: PlainCode {
        switch self {
        case .pygments: PlainCode(language: "text", html: Array("a\n".utf8)[...])
        case .katex: PlainCode(language: "math", html: Array("$a$".utf8)[...])
        case .graphviz: PlainCode(language: "dot", html: Array("graph {}\n".utf8)[...])
        case .plantuml: PlainCode(language: "plantuml", html: Array("a -&gt; b\n".utf8)[...])
        case .merman: PlainCode(language: "mermaid", html: Array("graph TD; a\n".utf8)[...])
        }
    }

    // MARK: Messages

    package var name: String {
        switch self {
        case .pygments: "Pygments"
        case .katex: "KaTeX"
        case .graphviz: "Graphviz"
        case .plantuml: "PlantUML"
        case .merman: "merman"
        }
    }

    /// What happens without it.
    package var effect: String {
        switch self {
        case .pygments: "code is not highlighted"
        case .katex: "formulas are shown as TeX"
        case .graphviz, .plantuml: "diagrams are shown as text"
        case .merman: "diagrams of Mermaid are shown as text"
        }
    }

    var remedies: [String] {
        let package =
            switch self {
            case .pygments: "Debian package 'python3-pygments'"
            case .katex, .graphviz, .plantuml: "Debian package '\(rawValue)'"
            case .merman: "Python package 'merman'"
            }
        let setting =
            switch self {
            case .pygments: "'highlight = false' in sitegen.toml turns highlighting off"
            case .katex: "'formulas = false' in sitegen.toml makes dollar signs text"
            default: "'diagrams = false' in sitegen.toml shows diagrams as code"
            }
        return ["the \(package) provides it", setting]
    }

    package var rule: Rule { self == .pygments ? .noHighlighter : .noDrawings }
}
