import Access
import Diagnostics
import Yams

/// Reads front matter in YAML, every mistake with its line and column.
struct FrontMatterReader {
    private(set) var frontMatter = FrontMatter()
    private(set) var diagnostics: [Diagnostic] = []

    private let path: String
    private let groups: [String]
    private var seen: [String: String] = [:]

    /// - Parameter groups: the names that `access` may use.
    init(_ yaml: [UInt8], path: String, groups: [String]) {
        self.path = path
        self.groups = groups
        guard let text = String(validating: yaml, as: UTF8.self) else {
            diagnostics.append(Diagnostic(.error, "front matter is not UTF-8", at: Place(path)))
            return
        }
        do {
            guard
                let node = try Yams.compose(
                    yaml: text,
                    .default,
                    .default,
                    // Its default asks the environment, for each file anew.
                    .utf8
                )
            else { return }
            guard let mapping = node.mapping else {
                report("front matter is not a list of 'key: value'", node)
                return
            }
            for (key, value) in mapping { read(key, value) }
        } catch {
            report(error)
        }
    }

    private mutating func read(_ keyNode: Node, _ value: Node) {
        let key = keyNode.string ?? ""
        guard let name = FrontMatter.name(of: key) else {
            let hint = NearestName.hint(key, in: FrontMatter.allNames)
            let message = "unknown key '\(key)' in front matter\(hint)"
            diagnostics.append(Diagnostic(.unknownKey(key), message, at: place(keyNode.mark)))
            return
        }
        if let other = seen[name] {
            report("'\(key)' and '\(other)' are the same key", keyNode)
            return
        }
        seen[name] = key
        switch name {
        case "title": frontMatter.title = string(key, value)
        case "linkTitle": frontMatter.linkTitle = string(key, value)
        case "description": frontMatter.description = string(key, value)
        case "lastmod": frontMatter.updated = date(key, value)
        case "draft": frontMatter.isDraft = bool(key, value) ?? true
        case "unlisted": frontMatter.isUnlisted = bool(key, value) ?? true
        case "order": frontMatter.order = number(key, value)
        case "template": frontMatter.template = string(key, value)
        case "toc": frontMatter.showsContents = bool(key, value) ?? true
        case "access": readAccess(value)
        case "widens": frontMatter.widens = bool(key, value) ?? false
        default: break
        }
    }

    private mutating func readAccess(_ value: Node) {
        var words: [String] = []
        if let sequence = value.sequence {
            for element in sequence {
                guard let word = element.scalar?.string else {
                    report("'access' is not a list of names", element)
                    return
                }
                words.append(word)
            }
        } else if let word = value.scalar?.string, !word.isEmpty {
            words = [word]
        }
        switch AccessWords.audience(words, groups: groups) {
        case .success(let audience):
            frontMatter.access = audience
            frontMatter.accessPlace = place(value.mark)
        case .failure(let mistake): report(mistake.message, value)
        }
    }

    private mutating func string(_ key: String, _ value: Node) -> String? {
        if let text = value.scalar?.string, !text.isEmpty { return text }
        report("'\(key)' is not a text", value)
        return nil
    }

    private mutating func bool(_ key: String, _ value: Node) -> Bool? {
        if let bool = value.bool { return bool }
        report("'\(key)' is '\(value.scalar?.string ?? "…")'; it must be true or false", value)
        return nil
    }

    private mutating func number(_ key: String, _ value: Node) -> Double? {
        if let number = value.float, number.isFinite { return number }
        report("'\(key)' is '\(value.scalar?.string ?? "…")'; it must be a number", value)
        return nil
    }

    private mutating func date(_ key: String, _ value: Node) -> String? {
        let text = value.scalar?.string ?? ""
        switch CalendarDay.parse(text.prefix(10)) {
        case .success(let day): return day
        case .failure(let mistake):
            report("'\(key)' is '\(text)'; \(mistake.message)", value)
            return nil
        }
    }

    private mutating func report(_ message: String, _ node: Node) {
        diagnostics.append(Diagnostic(.error, message, at: place(node.mark)))
    }

    private mutating func report(_ error: any Error) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let where_ = context.map { " (\($0.text))" } ?? ""
            let message = "front matter is not YAML: \(problem)\(where_)"
            diagnostics.append(Diagnostic(.error, message, at: place(mark)))
        case .duplicatedKeysInMapping(let duplicates, let context):
            let names = duplicates.map { "'\($0)'" }.joined(separator: ", ")
            let message = "front matter has \(names) twice"
            diagnostics.append(Diagnostic(.error, message, at: place(context.mark)))
        default:
            let message = "front matter is not YAML: \(error)"
            diagnostics.append(Diagnostic(.error, message, at: Place(path)))
        }
    }

    /// The line in the file: the fence stands above the first line of YAML.
    private func place(_ mark: Mark?) -> Place {
        Place(path, line: (mark?.line ?? 1) + 1, column: mark?.column ?? 1)
    }
}
