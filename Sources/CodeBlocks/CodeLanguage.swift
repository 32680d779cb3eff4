import Bytes

/// The language of a code block, as authors name it in the block's info string.
package enum CodeLanguage {
    private static let maximumLength = 40

    /// The first word's name: ASCII letters, digits and behind the first `+#._-`, at most 40; `nil` where there is
    /// none.
    ///
    /// `{.python .numbered}` (Pandoc), `rust,ignore` (mdBook), `python{1,3}` (Gatsby) and
    /// `language-python` (HTML) name a language too.
    package static func name(inInfo info: String) -> String? {
        var word = info.utf8.drop { $0.isWhitespace || $0 == UInt8(ascii: "{") }
        if word.first == UInt8(ascii: ".") { word.removeFirst() }
        var name = String(decoding: word.prefix(while: isNamePart), as: UTF8.self)
        if name.utf8.first == UInt8(ascii: "l") {
            for prefix in ["language-", "lang-"] where name.hasPrefix(prefix) {
                name.removeFirst(prefix.utf8.count)
            }
        }
        // An option in place of the language, 'title="a.py"' or '{2}', is none.
        let isOption = word.dropFirst(name.utf8.count).first == UInt8(ascii: "=")
        guard !isOption, !name.utf8.allSatisfy({ (48...57).contains($0) }),
            (1...maximumLength).contains(name.utf8.count),
            name.utf8.first.map({ !"+#._-".utf8.contains($0) }) == true
        else { return nil }
        return name
    }

    /// What a language is called by its people: `Swift` for `swift`; `nil` where the text is none.
    package static func label(_ name: String) -> String? {
        let name = name.lowercased()
        if ["text", "txt", "plain", "plaintext", "none"].contains(name) { return nil }
        return labels[name] ?? name
    }

    private static let labels = [
        "bash": "Shell", "bat": "Batch", "bicep": "Bicep", "c": "C", "c#": "C#", "c++": "C++",
        "conf": "Configuration", "console": "Terminal", "cpp": "C++", "cs": "C#",
        "csharp": "C#", "css": "CSS", "csv": "CSV", "diff": "Diff", "docker": "Dockerfile",
        "dockerfile": "Dockerfile", "dotenv": ".env", "elixir": "Elixir", "env": ".env",
        "erlang": "Erlang", "fish": "Shell", "go": "Go", "graphql": "GraphQL", "groovy": "Groovy",
        "haskell": "Haskell", "hcl": "HCL", "html": "HTML", "http": "HTTP", "ini": "INI",
        "java": "Java", "javascript": "JavaScript", "js": "JavaScript", "json": "JSON",
        "jsonc": "JSON", "jsx": "JSX", "julia": "Julia", "kotlin": "Kotlin", "kt": "Kotlin",
        "latex": "LaTeX", "lua": "Lua", "makefile": "Makefile", "make": "Makefile",
        "markdown": "Markdown", "md": "Markdown", "mermaid": "Mermaid", "nginx": "nginx",
        "nix": "Nix",
        "objc": "Objective-C",
        "ocaml": "OCaml", "perl": "Perl", "php": "PHP", "powershell": "PowerShell",
        "ps1": "PowerShell", "pwsh": "PowerShell", "py": "Python", "python": "Python", "r": "R",
        "rb": "Ruby", "rs": "Rust", "ruby": "Ruby", "rust": "Rust", "scala": "Scala",
        "scss": "SCSS", "sh": "Shell", "shell": "Shell", "shell-session": "Terminal",
        "sql": "SQL", "svelte": "Svelte", "swift": "Swift", "terraform": "Terraform",
        "toml": "TOML", "ts": "TypeScript", "tsx": "TSX", "typescript": "TypeScript",
        "vb": "Visual Basic", "vue": "Vue", "xml": "XML", "yaml": "YAML", "yml": "YAML",
        "zig": "Zig", "zsh": "Shell",
    ]

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "+#._-".utf8.contains(byte)
        }
    }
}
