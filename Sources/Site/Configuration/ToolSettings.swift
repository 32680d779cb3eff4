import Diagnostics
import POSIX
import Rules
import SourceFolder
import YAML

/// What the settings of another tool, which `from` in `sitegen.toml` names, say about a site: the
/// files that it leaves out, and the navigation.
package struct ToolSettings: Sendable {
    /// The paths of the files.
    package private(set) var files: [String] = []
    private(set) var excluded: [(pattern: String, file: String)] = []
    private(set) var included: [String] = []
    /// `nav` of MkDocs, or the side bars of Docusaurus.
    private(set) var navigation: (value: YAMLNode, file: String)?
    private(set) var diagnostics: [Diagnostic] = []

    private enum Syntax {
        /// Keys with a list, or with lines as in `.gitignore`.
        case yaml
        /// Lines as in `.gitignore`.
        case lines
        /// Keys with a list of strings, in JavaScript.
        case script
    }

    private typealias Tool = (
        name: String, syntax: Syntax, keys: [String],
        /// Whether patterns are seen from the folder of the settings, not from that of the pages.
        isFromTop: Bool
    )

    private static let tools: [Tool] = [
        ("mkdocs.yml", .yaml, ["exclude_docs", "draft_docs"], false),
        ("mkdocs.yaml", .yaml, ["exclude_docs", "draft_docs"], false),
        ("_config.yml", .yaml, ["exclude"], true),
        (".eleventyignore", .lines, [], true),
        ("docusaurus.config.js", .script, ["exclude"], false),
        ("docusaurus.config.ts", .script, ["exclude"], false),
        ("sidebars.json", .yaml, [], false),
        (".vitepress/config.js", .script, ["srcExclude"], false),
        (".vitepress/config.mjs", .script, ["srcExclude"], false),
        (".vitepress/config.ts", .script, ["srcExclude"], false),
        (".vitepress/config.mts", .script, ["srcExclude"], false),
    ]

    static let names = tools.map(\.name)

    private static func tool(_ path: String) -> Tool? {
        tools.first { path == $0.name || path.hasSuffix("/\($0.name)") }
    }

    static func knows(_ path: String) -> Bool { tool(path) != nil }

    /// - Parameters:
    ///   - names: the paths of the files, relative to `base`.
    ///   - base: the folder of `sitegen.toml`, empty or with a slash at its end.
    ///   - source: the source folder relative to `base`; empty if it is the same folder.
    init(_ names: [String], in base: String, source: String) {
        for name in names {
            guard let tool = Self.tool(name) else { continue }
            let path = base + name
            let folder = name.split(separator: "/").dropLast(tool.name.split(separator: "/").count)
            let seen = Self.path(of: source, from: folder.joined(separator: "/"))
            guard let text = text(path) else { continue }
            switch tool.syntax {
            case .lines:
                for line in Self.lines(String(decoding: text, as: UTF8.self)) {
                    add(line, isRooted: false, tool, path, seen)
                }
            case .yaml: read(yaml: text, tool, path, seen)
            case .script:
                for key in tool.keys {
                    guard let patterns = Self.strings(ofKey: key, in: text) else {
                        report("'\(key)' is not a list of texts in quotes", path)
                        continue
                    }
                    for pattern in patterns { add(pattern, isRooted: true, tool, path, seen) }
                }
            }
        }
    }

    private mutating func text(_ path: String) -> [UInt8]? {
        files.append(path)
        do {
            let decoded = DecodedText(try File.read(path))
            if let mistake = decoded.mistake { diagnostics += [mistake.diagnostic(in: path)] }
            return decoded.utf8
        } catch {
            let location = SourceLocation(withoutLines: path)
            diagnostics.append(Diagnostic(.configuration, error.reason, at: location))
            return nil
        }
    }

    /// - Parameter taken: the keys of the files that inherit from this one.
    private mutating func read(
        yaml: [UInt8],
        _ tool: Tool,
        _ path: String,
        _ source: String,
        except taken: Set<String> = []
    ) {
        let document: YAMLNode?
        do { document = try YAMLParser.document(yaml) } catch {
            let mark = error.mark
            let location = SourceLocation(path, line: mark.line, column: mark.column)
            return diagnostics.append(Diagnostic(.configuration, error.problem, at: location))
        }
        guard let document, case .mapping(let keys) = document.content else { return }
        if tool.keys.isEmpty { navigation = (document, path) }
        var source = source
        for (key, value) in keys where tool.isFromTop && key.text == "source" {
            // Jekyll's own source folder: patterns are seen from there.
            source = Self.path(of: source, from: value.text ?? "")
        }
        for (key, value) in keys where !taken.contains(key.text ?? "") {
            if key.text == "INHERIT", let name = value.text {
                let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
                // A file inherits from one other, and never from itself.
                let known = taken.union(keys.compactMap(\.key.text)).subtracting(["INHERIT"])
                if files.contains(folder + name) {
                    report("'INHERIT' leads back to '\(name)'", path)
                } else if let text = text(folder + name) {
                    read(yaml: text, tool, folder + name, source, except: known)
                }
            }
            if key.text == "nav", !tool.isFromTop { navigation = (value, path) }
            guard let name = key.text, tool.keys.contains(name) else { continue }
            switch value.content {
            case .scalar(let text, _, _):
                for line in Self.lines(text) { add(line, isRooted: false, tool, path, source) }
            case .sequence(let nodes) where nodes.allSatisfy({ $0.text != nil }):
                for node in nodes { add(node.text ?? "", isRooted: true, tool, path, source) }
            default: report("'\(name)' is not a list of texts", path)
            }
        }
    }

    /// A folder as seen from another one that holds it, or is it; `..` for any other.
    private static func path(of folder: String, from other: String) -> String {
        let parts = folder.split(separator: "/").filter { $0 != "." }
        let others = other.split(separator: "/").filter { $0 != "." }
        return parts.starts(with: others)
            ? parts.dropFirst(others.count).joined(separator: "/") : ".."
    }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { line in
            var line = line.drop { $0 == " " || $0 == "\t" }
            while line.last == " " || line.last == "\t" { line.removeLast() }
            return String(line)
        }
        .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }

    /// - Parameter isRooted: whether a mere name stands for a path.
    private mutating func add(
        _ written: String,
        isRooted: Bool,
        _ tool: Tool,
        _ file: String,
        _ source: String
    ) {
        let isKept = written.hasPrefix("!")
        var pattern = written.dropFirst(isKept ? 1 : 0)
        if pattern.hasPrefix("./") { pattern = pattern.dropFirst() }
        if tool.isFromTop, source == ".." {
            return report(
                "'\(written)' is seen from a folder that does not hold the source folder; write 'exclude' in sitegen.toml",
                file
            )
        }
        if tool.isFromTop, !source.isEmpty {
            let path = pattern.drop { $0 == "/" }
            if path.hasPrefix("\(source)/") {
                pattern = path.dropFirst(source.utf8.count)
            } else if isRooted || pattern.dropLast().contains("/") {
                // A file outside of the source folder.
                return
            }
        }
        let path = isRooted && !pattern.hasPrefix("/") ? "/\(pattern)" : String(pattern)
        let isOutside = path.split(separator: "/").first == ".."
        if path.isEmpty || path == "/" || isOutside { return }
        if PathPattern.mistake(path) != nil || path.contains(where: { "{}()\\".contains($0) }) {
            let message = "'\(written)' is a pattern that sitegen does not understand"
            return report("\(message); write 'exclude' in sitegen.toml", file)
        }
        if isKept { included.append(path) } else { excluded.append((path, file)) }
    }

    private mutating func report(_ message: String, _ path: String) {
        diagnostics.append(Diagnostic(.configuration, message, at: SourceLocation(path)))
    }

    /// The strings of all lists with a name in a script; `nil` if such a list has something else.
    private static func strings(ofKey key: String, in script: [UInt8]) -> [String]? {
        let text = String(decoding: script, as: UTF8.self)
        var found: [String] = []
        for range in text.ranges(of: key) {
            let isWord = text[..<range.lowerBound].last.map { $0.isLetter || $0 == "." } ?? false
            var rest = text[range.upperBound...].drop { $0 == "'" || $0 == "\"" || $0.isWhitespace }
            // '{ exclude }', with the list in a variable.
            if !isWord, let next = rest.first, ",}=".contains(next) { return nil }
            guard !isWord, rest.first == ":" else { continue }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
            rest = rest[rest.index(after: rest.startIndex)..<end]
            while true {
                rest = rest.drop { $0.isWhitespace || $0 == "," }
                guard let mark = rest.first else { break }
                if rest.hasPrefix("//") {
                    rest = rest.drop { !$0.isNewline }
                    continue
                }
                rest = rest.dropFirst()
                guard "'\"`".contains(mark), let close = rest.firstIndex(of: mark) else {
                    return nil
                }
                found.append(String(rest[..<close]))
                rest = rest[rest.index(after: close)...]
            }
        }
        return found
    }
}
