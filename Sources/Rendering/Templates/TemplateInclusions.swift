import Diagnostics

/// Which templates include which.
///
/// Templates include each other without an end if one includes itself, directly or through others:
/// a section around the tag does not end that, because a value that is missing in an inner context
/// is taken from the outer one.
struct TemplateInclusions {
    private var tags: [(name: String, path: String, tag: MustacheTemplate.Inclusion)] = []

    mutating func add(_ tags: [MustacheTemplate.Inclusion], of name: String, _ path: String) {
        self.tags += tags.map { (name, path, $0) }
    }

    /// Inclusions of templates that do not exist, and of a template in itself.
    func diagnostics(_ names: Set<String>) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        var targets: [String: Set<String>] = [:]
        for (name, _, tag) in tags { targets[name, default: []].insert(tag.name) }
        // Templates of the site come first, because the mistake is there.
        let isBuiltIn = { (path: String) in path.hasPrefix("(built in)/") }
        for (name, path, tag) in tags.filter({ !isBuiltIn($0.path) })
            + tags.filter({ isBuiltIn($0.path) })
        {
            let location = SourceLocation(path, line: tag.line, column: tag.column)
            if !names.contains(tag.name) {
                let message =
                    "there is no template '\(tag.name)'\(Self.advice(tag.name, names) ?? "")"
                diagnostics.append(Diagnostic(.error, message, at: location))
            } else if Self.reaches(name, from: tag.name, targets) {
                // Without this inclusion, so that each circle is reported once.
                targets[name]?.remove(tag.name)
                let way = tag.name == name ? "" : " through '\(tag.name)'"
                let message = "template '\(name)' includes itself\(way)"
                diagnostics.append(Diagnostic(.error, message, at: location))
            }
        }
        return diagnostics
    }

    /// What to write in place of a name that ends with `.html`.
    static func advice(_ name: String, _ names: Set<String>) -> String? {
        guard name.hasSuffix(".html"), names.contains(String(name.dropLast(5))) else { return nil }
        return "; write the name without '.html': '\(name.dropLast(5))'"
    }

    private static func reaches(
        _ name: String,
        from first: String,
        _ targets: [String: Set<String>]
    ) -> Bool {
        var seen: Set<String> = [first]
        var next = [first]
        while let template = next.popLast() {
            if template == name { return true }
            for target in targets[template] ?? [] where seen.insert(target).inserted {
                next.append(target)
            }
        }
        return false
    }
}
