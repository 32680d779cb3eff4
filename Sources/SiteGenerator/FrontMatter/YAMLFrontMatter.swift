import Diagnostics
import POSIX
import YAML

/// Front matter between lines of `---`.
struct YAMLFrontMatter {
    private(set) var entries: [FrontMatterEntry] = []
    private(set) var diagnostics: [Diagnostic] = []

    private let path: String
    private let linesAbove: Int
    /// A limit on values, because an alias stands for all values of its anchor: a few lines of
    /// aliases can exceed any memory.
    private var nodesLeft = 10_000

    /// - Parameter asksLibrary: whether libyaml also reads a text that ``PlainYAML`` can read.
    init(_ yaml: [UInt8], path: String, linesAbove: Int = 1, asksLibrary: Bool = false) {
        self.path = path
        self.linesAbove = linesAbove
        if yaml.first == UInt8(ascii: "%") {
            // The parser compares each directive with all before it, which is slow, and no page
            // needs one.
            let message = "front matter begins with '%', which YAML reserves for directives"
            diagnostics.append(
                Diagnostic(.error, message, at: SourceLocation(path, line: linesAbove + 1))
            )
            return
        }
        if AliasCount(yaml).isTooMany {
            let message = "front matter has more than \(AliasCount.maximum) aliases '*…'"
            diagnostics.append(Diagnostic(.error, message, at: SourceLocation(path)))
            return
        }
        if !asksLibrary,
            let entries = PlainYAML.entries(of: yaml, path: path, linesAbove: linesAbove)
        {
            self.entries = entries
            return
        }
        guard let text = String(validating: yaml, as: UTF8.self) else {
            diagnostics.append(
                Diagnostic(.error, "front matter is not UTF-8", at: SourceLocation(path))
            )
            return
        }
        do throws(YAMLError) {
            guard let node = try YAMLParser.document(yaml) else { return }
            guard case .table(let entries) = value(node).content else {
                let message = "front matter must consist of 'key: value' lines"
                diagnostics.append(Diagnostic(.error, message, at: location(node.mark)))
                return
            }
            self.entries = entries
            if nodesLeft < 0 {
                self.entries = []
                let message = "front matter has more than 10000 values"
                diagnostics.append(Diagnostic(.error, message, at: SourceLocation(path)))
            }
        } catch {
            diagnostics.append(diagnostic(error, text))
        }
    }

    private mutating func value(_ node: YAMLNode) -> FrontMatterValue {
        FrontMatterValue(content: content(node), location: location(node.mark))
    }

    private mutating func content(_ node: YAMLNode) -> FrontMatterValue.Content {
        nodesLeft -= 1
        guard nodesLeft >= 0 else { return .list([]) }
        switch node.content {
        case .mapping(let pairs):
            var entries: [FrontMatterEntry] = []
            for (key, element) in pairs {
                entries.append(
                    FrontMatterEntry(
                        key: key.text ?? "",
                        keyLocation: location(key.mark),
                        value: value(element)
                    )
                )
            }
            return .table(entries)
        case .sequence(let nodes):
            var values: [FrontMatterValue] = []
            for element in nodes { values.append(value(element)) }
            return .list(values)
        case .scalar where node.isNull: return .null
        case .scalar(let text, _, _):
            // Numbers and booleans are short; converting long strings is slow.
            guard text.utf8.count <= 32 else { return .scalar(text, bool: nil, number: nil) }
            let mayBeNumber = "+-.0123456789".utf8.contains(text.utf8.first ?? 0)
            return .scalar(text, bool: node.bool, number: mayBeNumber ? node.number : nil)
        }
    }

    private func diagnostic(_ error: YAMLError, _ text: String) -> Diagnostic {
        if !error.repeatedKeys.isEmpty {
            let names = error.repeatedKeys.map { "'\($0)'" }.joined(separator: ", ")
            let message = "front matter has \(names) twice"
            return Diagnostic(.error, message, at: location(error.mark))
        }
        // The value has a colon, if its line has a second one; otherwise the line above is the
        // mistake.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let line = lines.indices.contains(error.mark.line - 1) ? lines[error.mark.line - 1] : ""
        if Self.isTab(error, line) {
            let message =
                "front matter is not YAML: a tab stands where only spaces may stand; use spaces"
            return Diagnostic(.error, message, at: location(error.mark))
        }
        let hasColon = error.problem.hasPrefix("mapping values") && line.ranges(of: ": ").count > 1
        let needsQuotes = error.problem.contains("cannot start") || hasColon
        let remedy = needsQuotes ? "; put the value in quotes" : ""
        let message = "front matter is not YAML: \(error.problem)\(remedy)"
        return Diagnostic(.error, message, at: location(error.mark))
    }

    private static func isTab(_ error: YAMLError, _ line: Substring) -> Bool {
        let character = line.unicodeScalars.dropFirst(error.mark.column - 1).first
        return error.problem.contains("tab character")
            || error.problem.contains("cannot start") && character == "\t"
    }

    /// The line in the file.
    private func location(_ mark: YAMLMark) -> SourceLocation {
        SourceLocation(path, line: mark.line + linesAbove, column: mark.column)
    }
}

/// Checks that a YAML text has few aliases.
///
/// Aliases of aliases grow exponentially, and a text of 476 bytes would keep a build busy for hours. Twenty aliases stand for at most about
/// 1,600 values.
private struct AliasCount {
    static let maximum = 20

    let isTooMany: Bool

    init(_ yaml: [UInt8]) {
        let text = yaml.span
        guard text.position(of: UInt8(ascii: "&")) < text.count,
            text.position(of: UInt8(ascii: "*")) < text.count
        else {
            isTooMany = false
            return
        }
        var anchors = 0
        var aliases = 0
        // An alias follows white space or a bracket, and its name follows immediately.
        for (before, (mark, after)) in zip([10] + yaml, zip(yaml, yaml.dropFirst()))
        where " \t\n\r,[{:?-".utf8.contains(before) && after > 0x20 {
            anchors += mark == UInt8(ascii: "&") ? 1 : 0
            aliases += mark == UInt8(ascii: "*") ? 1 : 0
        }
        isTooMany = anchors > 0 && aliases > Self.maximum
    }
}
