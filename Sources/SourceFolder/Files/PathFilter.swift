/// Decides which files of the source folder belong to the site.
package struct PathFilter: Sendable {
    /// Why a file or a folder is ignored.
    package enum Reason: Sendable, Equatable {
        /// A pattern of `exclude` in `sitegen.toml` matches it, or one of another tool's settings;
        /// in words.
        case excluded(String)
        /// A pattern of ``usualNames`` matches it.
        case usual(String)
        /// Its name begins with a dot.
        case hidden
        /// A page whose name, or that of a folder above it, begins with `_`: in most tools such a
        /// page is a draft, a part of a page, or ignored.
        case underscore
        /// It is a symbolic link in a folder whose name begins with `_`.
        case link
        /// A pattern of `parts` in `sitegen.toml` matches it: it is a part of the pages that include it.
        case part
        /// It is a secret or a file of the site's own tools, which is never published.
        case own
    }

    package enum Verdict: Equatable {
        case taken
        /// A folder of which some files may be included.
        case partly
        case ignored(Reason)
    }

    private var excluded: [(pattern: PathPattern, words: String)]
    private var included: [PathPattern]
    private let parts: [PathPattern]
    /// Whether the folder has files that are not for readers.
    private var hasOtherFiles = false

    /// Files with the order of the pages in their folder: Azure DevOps, MkDocs, Docusaurus.
    ///
    /// The last ones are not read: GitHub's wikis, docsify.
    static let navigationNames: Set<String> = [
        ".order", ".pages", ".nav.yml", "_category_.json", "_category_.yml", "_category_.yaml",
        "_sidebar.md", "_navbar.md",
    ]

    /// Secrets, version control folders and sitegen's own files.
    ///
    /// They are never published, whatever the configuration says.
    private static let own: Set<String> = [
        ".aws", ".env", ".git", ".git-credentials", ".gnupg", ".hg", ".htpasswd", ".netrc",
        ".npmrc",
        ".pgpass", ".sitegen", ".ssh", ".svn", "id_dsa", "id_ecdsa", "id_ed25519", "id_rsa",
        "secrets.toml", "sitegen.toml",
    ]

    private static func isOwn(_ name: String) -> Bool {
        // `secrets.prod.toml` and `secrets.toml.bak` count, too; a page `secrets.md` does not.
        own.contains(name) || name.hasPrefix(".env.")
            || (name.hasPrefix("secrets.") && name.contains(".toml"))
    }

    /// Names of files that other tools, editors and operating systems put beside pages.
    static let usualNames = [
        // Backups of editors and merges.
        "*~", "*.bak", "*.orig", "*.rej", "*.swp", "*.swo", "#*#",
        // Systems.
        // Keys.
        "*.kdbx", "*.p12", "*.pfx", "key.pem", "privkey.pem", "*-key.pem", "*.key.pem",
        "Thumbs.db", "desktop.ini", "__MACOSX/", "~$*",
        // Other generators.
        "_config.yml", "_config.yaml", "_config.toml", "_data/", "_includes/", "_layouts/",
        "_plugins/",
        "_sass/", "_site/", "_book/", "book.toml", "book.json", "mkdocs.yml", "mkdocs.yaml",
        "docfx.json", "hugo.toml", "hugo.yaml", "hugo.json", "docusaurus.config.js",
        "docusaurus.config.ts", "_category_.json", "_category_.yml",
        "_category_.yaml", "sidebars.js", "sidebars.ts", "antora.yml", "_quarto.yml",
        // Programs and their packages.
        "node_modules/", "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml",
        "Gemfile", "Gemfile.lock", "__pycache__/", "*.pyc", "pyproject.toml", "poetry.lock",
        "requirements.txt", "Makefile", "Dockerfile", "Dockerfile.*", "docker-compose.yml",
        "docker-compose.yaml", "compose.yml", "compose.yaml",
        // Repositories and their services.
        "CODEOWNERS", "Jenkinsfile", "azure-pipelines.yml", "crowdin.yml", "netlify.toml",
        "vercel.json", "CNAME",
    ]

    /// Pages that are written for programs.
    private static let pagesForPrograms: Set<String> = ["AGENTS.md", "CLAUDE.md", "GEMINI.md"]

    private static let usual = usualNames.map { PathPattern($0) }

    package init(
        excluding excluded: [String] = [],
        including included: [String] = [],
        parts: [String] = []
    ) {
        self.parts = parts.map { PathPattern($0, showsHidden: false) }
        self.excluded = excluded.map {
            (PathPattern($0), "'exclude' in sitegen.toml contains '\($0)'")
        }
        self.included = included.map { PathPattern($0, showsHidden: false) }
    }

    /// - Parameter hasOtherFiles: whether the folder has files that are not for readers.
    package mutating func exclude(
        _ patterns: [(pattern: String, file: String)],
        including included: [String],
        hasOtherFiles: Bool
    ) {
        excluded += patterns.map {
            (PathPattern($0.pattern), "'\($0.file)' leaves out '\($0.pattern)'")
        }
        self.included += included.map { PathPattern($0, showsHidden: false) }
        self.hasOtherFiles = hasOtherFiles
    }

    /// Whether the configuration names a file, or a folder above it.
    package func names(_ path: String) -> Bool {
        let segments = path.split(separator: "/")
        return segments.indices.contains { index in
            let isFolder = index < segments.count - 1
            return included.contains { $0.matches(Array(segments[...index]), isFolder: isFolder) }
        }
    }

    /// - Parameters:
    ///   - path: relative to the source folder.
    ///   - isInside: whether a folder above it matches `include`.
    ///   - isPartly: whether a folder above it is only partly included.
    func verdict(
        _ path: String,
        isFolder: Bool,
        isInside: Bool,
        isPartly: Bool
    ) -> (verdict: Verdict, isIncluded: Bool) {
        if excluded.isEmpty, included.isEmpty, parts.isEmpty, !hasOtherFiles, !isFolder, !isPartly,
            Self.isPlainPage(path)
        {
            return (.taken, isInside)
        }
        let segments = path.split(separator: "/")
        let name = segments.last ?? ""
        if Self.isOwn(name.lowercased()) { return (.ignored(.own), false) }
        if let found = excluded.first(where: { $0.pattern.matches(segments, isFolder: isFolder) }) {
            return (.ignored(.excluded(found.words)), false)
        }
        if parts.contains(where: { $0.matches(segments, isFolder: isFolder) }) {
            return (.ignored(.part), false)
        }
        if included.contains(where: { $0.matches(segments, isFolder: isFolder) }) {
            return (.taken, true)
        }
        // A page about Docker may be called `Dockerfile.md`.
        let isPage = !isFolder && SitePathName.isPage(name.lowercased())
        let usual = isPage ? nil : Self.usual.first { $0.matches(segments, isFolder: isFolder) }
        let isHidden = name.hasPrefix(".")
        if hasOtherFiles, isPage, Self.pagesForPrograms.contains(String(name)) {
            return (.ignored(.usual(String(name))), false)
        }
        if !isFolder, !isInside, Self.isUnderscored(segments) {
            return (.ignored(.underscore), false)
        }
        // Backups of editors are ignored in an included folder, too.
        guard isHidden || usual != nil || isPartly else { return (.taken, isInside) }
        if isFolder, included.contains(where: { $0.mayMatch(below: segments) && $0.isPath }) {
            return (.partly, false)
        }
        return (.ignored(usual.map { .usual($0.text) } ?? .hidden), false)
    }
}

extension PathFilter {
    /// Whether only a pattern of the configuration can ignore a file: most pages have a path of
    /// letters, digits and hyphens.
    private static func isPlainPage(_ path: String) -> Bool {
        guard path.utf8.suffix(3).elementsEqual(".md".utf8) else { return false }
        var first: UInt8?
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "/"):
                if first == nil { return false }
                first = nil
                continue
            case UInt8(ascii: "."), UInt8(ascii: "_"): if first == nil { return false }
            case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: break
            default: return false
            }
            first = first ?? byte
        }
        // `secrets.toml.md` is a secret.
        return first != UInt8(ascii: "s") && first != UInt8(ascii: "S")
    }

    private static func isUnderscored(_ path: [Substring]) -> Bool {
        guard let name = path.last?.lowercased(), SitePathName.isPage(name) else { return false }
        let isIndex = name.hasPrefix("_index.")
        return path.dropLast().contains { $0.hasPrefix("_") } || (name.hasPrefix("_") && !isIndex)
    }
}

extension PathPattern {
    /// Whether the pattern is for a path: a mere name does not open an ignored folder.
    fileprivate var isPath: Bool { text.dropLast().contains("/") }
}
