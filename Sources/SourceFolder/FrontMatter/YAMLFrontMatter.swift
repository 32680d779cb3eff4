import Diagnostics
import YAML

/// Front matter between lines of `---`.
struct YAMLFrontMatter {
    private let path: String
    private let linesAbove: Int
    /// A limit on values, because an alias stands for all values of its anchor: a few lines of
    /// aliases can exceed any memory.
    private var nodesLeft = 10_000

    static func read(_ yaml: [UInt8], path: String, linesAbove: Int) -> ParsedFrontMatter {
        var reader = Self(path: path, linesAbove: linesAbove)
        if yaml.first == UInt8(ascii: "%") {
            // The parser compares each directive with all before it, which is slow, and no page
            // needs one.
            let message = "front matter begins with '%', which YAML reserves for directives"
            let location = SourceLocation(path, line: linesAbove + 1)
            return ([], [Diagnostic(.error, message, at: location)])
        }
        do throws(YAMLError) {
            guard let node = try YAMLParser.document(yaml) else { return ([], []) }
            guard case .mapping(let pairs) = node.content else {
                let message = "front matter must consist of 'key: value' lines"
                return ([], [Diagnostic(.error, message, at: reader.location(node.mark))])
            }
            let entries = reader.entries(pairs)
            if reader.nodesLeft >= 0 { return (entries, []) }
            let message = "front matter has more than 10000 values"
            return ([], [Diagnostic(.error, message, at: SourceLocation(path))])
        } catch {
            let lines = String(decoding: yaml, as: UTF8.self)
                .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let index = error.mark.line - 1
            let line = lines.indices.contains(index) ? lines[index] : ""
            let message = message(error, line)
            return ([], [Diagnostic(.error, message, at: reader.location(error.mark))])
        }
    }

    private init(path: String, linesAbove: Int) {
        self.path = path
        self.linesAbove = linesAbove
    }

    private mutating func entries(_ pairs: [(key: YAMLNode, value: YAMLNode)]) -> [FrontMatterEntry]
    {
        var entries: [FrontMatterEntry] = []
        for (key, node) in pairs {
            let keyLocation = location(key.mark)
            let entry = FrontMatterEntry(
                key: key.text ?? "",
                keyLocation: keyLocation,
                value: value(node)
            )
            entries.append(entry)
        }
        return entries
    }

    private mutating func value(_ node: YAMLNode) -> FrontMatterValue {
        FrontMatterValue(content: content(node), location: location(node.mark))
    }

    private mutating func content(_ node: YAMLNode) -> FrontMatterValue.Content {
        nodesLeft -= 1
        guard nodesLeft >= 0 else { return .null }
        switch node.content {
        case .mapping(let pairs): return .table(entries(pairs))
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

    /// - Parameter line: where the error is.
    private static func message(_ error: YAMLError, _ line: Substring) -> String {
        if !error.repeatedKeys.isEmpty {
            let names = error.repeatedKeys.map { "'\($0)'" }.joined(separator: ", ")
            return "front matter has \(names) twice"
        }
        let start = "front matter is not YAML: "
        let cannotStart = error.problem.contains("cannot start")
        let character = line.unicodeScalars.dropFirst(error.mark.column - 1).first
        if error.problem.contains("tab character") || cannotStart && character == "\t" {
            return start + "a tab stands where only spaces may stand; use spaces"
        }
        // The value has a colon, if its line has a second one; otherwise the line above is the
        // mistake.
        let hasColon = error.problem.hasPrefix("mapping values") && line.ranges(of: ": ").count > 1
        return start + error.problem + (cannotStart || hasColon ? "; put the value in quotes" : "")
    }

    /// The line in the file.
    private func location(_ mark: YAMLMark) -> SourceLocation {
        SourceLocation(path, line: mark.line + linesAbove, column: mark.column)
    }
}
