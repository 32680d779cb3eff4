import Bytes

/// Comments that say which lines stand out: `// [!code ++]` of VitePress, `# highlight-next-line` of
/// Docusaurus.
///
/// The comments are left out; what they say goes into ``CodeInfo``.
package struct CodeMarks {
    private typealias Lines = WritableKeyPath<CodeInfo, [ClosedRange<Int>]> & Sendable

    private var code: [UInt8] = []
    private var info: CodeInfo
    private var line = 1
    /// Marks that begin with the next line.
    private var next: [(lines: Lines, count: Int)] = []
    /// The line behind `highlight-start`.
    private var start: Int?

    private static let kinds: [String: Lines] = [
        "++": \.inserted, "--": \.deleted, "highlight": \.marked, "hl": \.marked,
        "focus": \.marked, "warning": \.marked, "error": \.marked, "info": \.marked,
        "highlight-next-line": \.marked,
    ]

    /// The code without such comments, and its lines; `nil` if there is none.
    package static func read(_ code: [UInt8], _ info: CodeInfo?) -> (code: [UInt8], info: CodeInfo)?
    {
        // Many lines have an 'h', and few an '!' or a hyphen.
        let marks: [StaticString] = ["!code ", "-next-line", "-start"]
        if marks.allSatisfy({ code.span.position(of: $0) == nil }) { return nil }
        var reader = CodeMarks(info: info ?? CodeInfo(""))
        for line in code.split(separator: .newline, omittingEmptySubsequences: false) {
            reader.read(line)
        }
        reader.code.removeLast()
        return reader.code.count == code.count ? nil : (reader.code, reader.info)
    }

    private mutating func read(_ line: ArraySlice<UInt8>) {
        guard let (text, word) = Self.comment(in: line) else { return append(line) }
        let isAlone = text.allSatisfy(\.isSpaceOrTab)
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        let count = parts.count < 2 ? 1 : Int(parts[1]) ?? 0
        switch parts.first {
        case "highlight-start" where isAlone: start = start ?? self.line
        case "highlight-end" where isAlone:
            if let start, start < self.line { info.marked.append(start...(self.line - 1)) }
            start = nil
        case "word": if !isAlone { append(text) }
        case let kind? where (1...10_000).contains(count):
            guard let lines = Self.kinds[kind], isAlone || !kind.hasPrefix("highlight-") else {
                return append(line)
            }
            next.append((lines, count))
            if !isAlone { append(text) }
        default: append(line)
        }
    }

    private mutating func append(_ text: ArraySlice<UInt8>) {
        for (lines, count) in next { info[keyPath: lines].append(line...(line + count - 1)) }
        next = []
        code += text + [.newline]
        line += 1
    }

    /// The last comment of a line, if it is such a mark: what stands before it, and its word.
    private static func comment(in line: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, String)? {
        guard line.contains(where: { "-!".utf8.contains($0) }) else { return nil }
        var rest = line
        rest.removeLast(ofComment: ())
        let word: ArraySlice<UInt8>
        if rest.last == UInt8(ascii: "]"), let space = rest.lastIndex(of: .space) {
            word = rest[(space + 1)...].dropLast()
            rest = rest[...space]
            guard rest.removeLast(ofComments: ["[!code "]) else { return nil }
        } else {
            let before = rest.lastIndex { !$0.isLetterOrDigit && $0 != UInt8(ascii: "-") }
            word = rest[(before.map { $0 + 1 } ?? rest.startIndex)...]
            guard word.starts(with: "highlight-".utf8) else { return nil }
            rest = rest[..<word.startIndex]
        }
        rest.removeLast(whileSpace: ())
        guard rest.removeLast(ofComments: CodeAnnotations.comments) else { return nil }
        rest.removeLast(whileSpace: ())
        return (rest, String(decoding: word, as: UTF8.self))
    }
}
