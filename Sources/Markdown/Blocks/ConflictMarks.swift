import Bytes
import CodeBlocks

/// The lines by which git marks a conflict of a merge, left in a text: two versions of it would be
/// published, and the marks.
public enum ConflictMarks {
    private enum Kind { case start, base, middle, end }

    /// The first mark in a text that holds no code, such as front matter.
    ///
    /// - Returns: its line, counted from 1, and its text.
    public static func first(in text: [UInt8]) -> (line: Int, mark: String)? {
        let source = SourceText(text)
        return conflicts(in: source).first.map { ($0[0], mark(source, $0[0])) }
    }

    /// One finding for each conflict, but for those that a page shows as code.
    static func diagnostics(in tree: BlockTree) -> [MarkdownDiagnostic] {
        let source = tree.source
        let conflicts = conflicts(in: source)
        if conflicts.isEmpty { return [] }
        var isCode = Array(repeating: false, count: source.lines.count + 1)
        tree.walk { block, _ in
            guard block.kind == .codeBlock else { return }
            for line in block.line...block.endLine { isCode[line] = true }
        }
        return conflicts.compactMap { lines in
            // A conflict that begins outside of a block of code may cut the block.
            guard let line = lines.first(where: { !isCode[$0] }) else { return nil }
            return MarkdownDiagnostic(
                .conflictMarks(mark(source, line)),
                at: SourceRange(line: line, column: 1, length: source.line(line).count)
            )
        }
    }

    /// The lines of each conflict.
    private static func conflicts(in source: SourceText) -> [[Int]] {
        var conflicts: [[Int]] = []
        var open: [Int] = []
        func isQuote(_ line: Int) -> Bool {
            (1...source.lines.count).contains(line)
                && source.bytes[source.line(line)].first == UInt8(ascii: ">")
        }
        for index in source.lines.indices {
            let line = index + 1
            switch kind(source.bytes[source.lines[index]]) {
            case .start:
                if let first = open.first { conflicts.append([first]) }
                open = [line]
            case .base, .middle: if !open.isEmpty { open.append(line) }
            case .end:
                // Without a beginning it may be a quote in seven quotes.
                if !open.isEmpty {
                    conflicts.append(open + [line])
                } else if !isQuote(line - 1), !isQuote(line + 1) {
                    conflicts.append([line])
                }
                open = []
            case nil: continue
            }
        }
        if let first = open.first { conflicts.append([first]) }
        return conflicts
    }

    private static func kind(_ line: ArraySlice<UInt8>) -> Kind? {
        guard let first = line.first, first == UInt8(ascii: "|") || (60...62).contains(first) else {
            return nil
        }
        let run = line.prefix { $0 == first }
        let rest = line[run.endIndex...]
        guard run.count == 7, rest.first?.isWhitespace ?? true else { return nil }
        switch first {
        case UInt8(ascii: "<"): return .start
        case UInt8(ascii: "|"): return .base
        case UInt8(ascii: "="): return rest.allSatisfy(\.isWhitespace) ? .middle : nil
        default: return rest.allSatisfy(\.isWhitespace) ? nil : .end
        }
    }

    private static func mark(_ source: SourceText, _ line: Int) -> String {
        let text = source.bytes[source.line(line)]
        return String(decoding: DialectScanner(text.prefix(80)).rest, as: UTF8.self)
    }
}
