import Diagnostics
import POSIX
import YAML

/// Reads the front matter that most pages have: lines of `key: value`, where a value is plain or
/// quoted text on the same line, or a list of such texts.
///
/// libyaml makes a tree of many objects, which takes many times as long. This type reads
/// only lines whose meaning is certain, and leaves everything else to libyaml: nested tables, texts of
/// several lines, anchors, tags, escapes, quoted keys, tabs. A test compares both on random texts.
struct PlainYAML {
    /// Limits, which bound the search for duplicate keys and the counting of columns.
    private static let maximumBytes = 8192
    private static let maximumKeys = 64

    private let yaml: [UInt8]
    private let path: String
    private let linesAbove: Int
    /// The current line, without its line end; empty at the end of the text.
    private var start = 0
    private var end = 0
    /// From 1.
    private var line = 0
    /// Where the next line begins.
    private var next = 0

    /// - Returns: `nil` if libyaml must read the text.
    static func entries(
        of yaml: [UInt8],
        path: String,
        linesAbove: Int
    ) -> [FrontMatterEntry]? {
        guard yaml.count <= maximumBytes, hasPlainCharacters(yaml.span) else { return nil }
        var reader = PlainYAML(yaml: yaml, path: path, linesAbove: linesAbove)
        return reader.entries()
    }

    private init(yaml: [UInt8], path: String, linesAbove: Int) {
        self.yaml = yaml
        self.path = path
        self.linesAbove = linesAbove
    }

    /// Whether the text is UTF-8, YAML allows all its characters, and only line feeds end its
    /// lines.
    private static func hasPlainCharacters(_ yaml: Span<UInt8>) -> Bool {
        guard (try? UTF8Span(validating: yaml)) != nil else { return false }
        for index in yaml.indices {
            switch yaml[index] {
            case 0x20..<0x7F, 10: continue
            case 13: if index + 1 == yaml.count || yaml[index + 1] != 10 { return false }
            // U+0080 to U+009F; U+2028 and U+2029; U+FEFF and U+FFFE.
            case 0xC2: if yaml[index + 1] < 0xA0 { return false }
            case 0xE2: if yaml[index + 1] == 0x80, yaml[index + 2] & 0xFE == 0xA8 { return false }
            case 0xEF: if yaml[index + 1] == 0xBB || yaml[index + 1] == 0xBF { return false }
            case 0x80...0xFF: continue
            default: return false
            }
        }
        return true
    }

    private mutating func entries() -> [FrontMatterEntry]? {
        var entries: [FrontMatterEntry] = []
        nextLine()
        while start < end {
            guard entries.count < Self.maximumKeys, let colon = keyEnd() else { return nil }
            let key = text(start..<colon)
            if entries.contains(where: { $0.key == key }) { return nil }
            let keyLocation = location(start)
            guard let value = value(after: colon) else { return nil }
            entries.append(FrontMatterEntry(key: key, keyLocation: keyLocation, value: value))
        }
        return entries.isEmpty ? nil : entries
    }

    /// Goes to the next line that is not empty and no comment.
    private mutating func nextLine() {
        while next < yaml.count {
            start = next
            let feed = yaml.span.position(of: 10, from: start)
            end = feed > start && yaml[feed - 1] == 13 ? feed - 1 : feed
            next = feed + 1
            line += 1
            if start < end, yaml[start] != UInt8(ascii: "#") { return }
        }
        (start, end) = (yaml.count, yaml.count)
    }

    /// The colon after a key at the beginning of the line.
    private func keyEnd() -> Int? {
        for index in start..<end {
            switch yaml[index] {
            case 0x41...0x5A, 0x5F, 0x61...0x7A: continue
            case 0x2D, 0x30...0x39: if index == start { return nil }
            case UInt8(ascii: ":"):
                let isEnd = index + 1 == end || yaml[index + 1] == 0x20
                return isEnd && (1..<100).contains(index - start) ? index : nil
            default: return nil
            }
        }
        return nil
    }

    /// Reads the value of a key, and goes to the line below it.
    private mutating func value(after colon: Int) -> FrontMatterValue? {
        let range = trimmed(colon + 1..<end)
        if range.isEmpty {
            let empty = FrontMatterValue(content: .null, location: location(colon + 1))
            nextLine()
            let isList = start < end && (yaml[start] == 0x20 || yaml[start] == 0x2D)
            return isList ? blockList() : empty
        }
        let value = yaml[range.lowerBound] == UInt8(ascii: "[") ? flowList(range) : scalar(range)
        nextLine()
        return value
    }

    /// Lines of `- value`.
    private mutating func blockList() -> FrontMatterValue? {
        var values: [FrontMatterValue] = []
        var first: (column: Int, location: SourceLocation)?
        while start < end {
            var dash = start
            while dash < end, yaml[dash] == 0x20 { dash += 1 }
            guard dash < end, yaml[dash] == 0x2D else {
                // A key ends the list.
                if dash == start { break }
                return nil
            }
            if first == nil { first = (dash - start, location(dash)) }
            let range = trimmed(dash + 1..<end)
            guard dash - start == first?.column, range.lowerBound > dash + 1,
                let value = scalar(range)
            else { return nil }
            values.append(value)
            nextLine()
        }
        return first.map { FrontMatterValue(content: .list(values), location: $0.location) }
    }

    /// `[a, b]`.
    private func flowList(_ range: Range<Int>) -> FrontMatterValue? {
        let close = range.upperBound - 1
        guard yaml[close] == UInt8(ascii: "]") else { return nil }
        var values: [FrontMatterValue] = []
        var rest = trimmed(range.lowerBound + 1..<close)
        while !rest.isEmpty {
            var comma = rest.lowerBound
            if yaml[comma] == 0x22 || yaml[comma] == 0x27 {
                let quote = yaml[comma]
                comma += 1
                while comma < rest.upperBound, yaml[comma] != quote { comma += 1 }
                comma += 1
            }
            while comma < rest.upperBound, yaml[comma] != UInt8(ascii: ",") {
                if "\"#':?[]{}".utf8.contains(yaml[comma]) { return nil }
                comma += 1
            }
            guard comma <= rest.upperBound, let value = scalar(trimmed(rest.lowerBound..<comma))
            else { return nil }
            values.append(value)
            if comma == rest.upperBound { break }
            rest = trimmed(comma + 1..<rest.upperBound)
            if rest.isEmpty { return nil }
        }
        return FrontMatterValue(content: .list(values), location: location(range.lowerBound))
    }

    /// A plain or quoted text.
    ///
    /// - Parameter range: in the current line, without white space around it.
    private func scalar(_ range: Range<Int>) -> FrontMatterValue? {
        guard let first = range.first else { return nil }
        switch yaml[first] {
        case 0x22, 0x27: return quoted(range)
        // '$', '(', '+', '.', '/', '_', '~', letters and digits.
        case 0x24, 0x28, 0x2B, 0x2E...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x7E...0xFF: break
        // A negative number.
        case 0x2D where range.count > 1 && (0x30...0x39).contains(yaml[first + 1]): break
        default: return nil
        }
        for index in range {
            let byte = yaml[index]
            if byte == 0x3A, index + 1 == range.upperBound || yaml[index + 1] == 0x20 { return nil }
            if byte == 0x23, yaml[index - 1] == 0x20 { return nil }
        }
        let text = text(range)
        if YAMLNode.isNull(text) {
            return FrontMatterValue(content: .null, location: location(first))
        }
        // Longer texts are read as neither, see `YAMLFrontMatter`.
        guard range.count <= 32 else { return scalar(text, at: first) }
        let bool: Bool? =
            switch range.count <= 5 ? text.lowercased() : "" {
            case "true", "yes", "on": true
            case "false", "no", "off": false
            default: nil
            }
        switch yaml[first] {
        // These may be `.inf`.
        case 0x2B, 0x2E: return nil
        case 0x2D, 0x30...0x39:
            let digits = yaml[range].dropFirst().drop { (0x30...0x39).contains($0) }
            if digits.first == 0x2D { return scalar(text, at: first, bool) }
            // YAML ignores underscores, and reads `1:30` with the base 60.
            if digits.contains(where: { $0 == 0x3A || $0 == 0x5F }) { return nil }
            return scalar(text, at: first, bool, Double(text))
        default: return scalar(text, at: first, bool)
        }
    }

    private func scalar(
        _ text: String,
        at start: Int,
        _ bool: Bool? = nil,
        _ number: Double? = nil
    ) -> FrontMatterValue {
        let content = FrontMatterValue.Content.scalar(text, bool: bool, number: number)
        return FrontMatterValue(content: content, location: location(start))
    }

    /// A text in quotes, without an escape.
    private func quoted(_ range: Range<Int>) -> FrontMatterValue? {
        let quote = yaml[range.lowerBound]
        guard range.count > 1, yaml[range.upperBound - 1] == quote else { return nil }
        let inner = range.lowerBound + 1..<range.upperBound - 1
        let isPlain = yaml[inner].allSatisfy { $0 != quote && $0 != UInt8(ascii: "\\") }
        return isPlain ? scalar(text(inner), at: range.lowerBound) : nil
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: yaml[range], as: UTF8.self)
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, yaml[start] == 0x20 { start += 1 }
        while start < end, yaml[end - 1] == 0x20 { end -= 1 }
        return start..<end
    }

    /// - Parameter offset: in the current line.
    private func location(_ offset: Int) -> SourceLocation {
        // YAML counts characters.
        let column = yaml[start..<offset].count { $0 & 0xC0 != 0x80 } + 1
        return SourceLocation(path, line: line + linesAbove, column: column)
    }
}
