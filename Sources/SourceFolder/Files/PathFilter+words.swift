import Diagnostics

extension [String: PathFilter.Reason] {
    /// That there is a file at a path, but that it, or a folder above it, is ignored.
    package func note(on path: String) -> Diagnostic.Note? {
        if isEmpty { return nil }
        var name = path[...]
        while !name.isEmpty {
            if let reason = self[String(name)] {
                let what = "'\(name)' exists but is ignored"
                return Diagnostic.Note("\(what): \(reason.words(for: String(name)))")
            }
            name = name.prefix(upTo: name.lastIndex(of: "/") ?? name.startIndex)
        }
        return nil
    }
}

extension PathFilter.Reason {
    fileprivate func words(for path: String) -> String {
        let remedy = "'include = [\"/\(path)\"]' in sitegen.toml publishes it"
        return switch self {
        case .excluded(let words): words
        case .usual(let pattern): "names like '\(pattern)' belong to other tools; \(remedy)"
        case .hidden: "its name begins with a dot; \(remedy)"
        case .underscore:
            "its name or its folder's name begins with '_'; \(remedy), \"_*.md\" all such files"
        case .link: "it is a symbolic link, and these are not followed"
        case .part: "it matches 'parts' in sitegen.toml, and is only included"
        case .own: "files with this name are never published"
        }
    }
}
