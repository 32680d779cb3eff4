import Bytes
import CodeBlocks
import HTML

/// Blocks of code.
extension HTMLRenderer {
    mutating func visitCodeBlock(_ node: Block) {
        startLine()
        guard case .code(let written) = node.details else { return }
        let info = codeAttributes.map { "\(written) \($0)" } ?? written
        codeAttributes = nil
        let isInGroup = blocks.isInCodeGroup(node.parent)
        if isInGroup { beginTab(ofCode: info, node) }
        let language = info.utf8.prefix { !$0.isWhitespace }
        let name = CodeLanguage.name(inInfo: info)
        findLiteralFences(in: node)
        if let drawn = name.flatMap({ DrawnLanguage($0, options) }) {
            return writeDrawing(node, drawn, info)
        }
        if language.first == UInt8(ascii: "{"), language.dropFirst().first?.isLetter == true {
            lists.note(.directive, line: node.line, column: node.column)
        }
        let isThemed = options.themed
        var details = isThemed && CodeInfo.saysMore(info) ? CodeInfo(info) : nil
        if isInGroup { details?.title = nil }
        let label = name.flatMap(CodeLanguage.label)
        var code = node.code
        if isThemed, options.borrowedBlocks, !Self.isMarkdown(name),
            let marks = CodeMarks.read(code, details)
        {
            (code, details) = marks
        }
        let isAnnotated = number(&code, node, name, details?.isAnnotated == true)
        if isThemed { beginBox(label: label, details, isAnnotated: isAnnotated) }
        write("<pre>")
        if isThemed, name == "diff" || details?.hasLines == true {
            writeLines(of: code, details ?? CodeInfo(""), isDiff: name == "diff")
        }
        // Other tools' classes: 'language-py' for '{ .py title="a.py" }' and for 'py{1,3}'.
        let word = (isThemed ? name : nil) ?? String(decoding: Array(language), as: UTF8.self)
        if language.isEmpty {
            write("<code>")
        } else {
            write("<code class=\"language-")
            write(text: HTMLText.escape(word))
            write("\">")
        }
        let start = output.html.count
        escape(code)
        if let name {
            output.codeBlocks.append(.init(language: name, range: start..<output.html.count))
        }
        write("</code></pre>\n")
        if isThemed { write("</div>\n") }
    }

    /// A text about Markdown may show the marks.
    private static func isMarkdown(_ language: String?) -> Bool {
        language == "md" || language == "markdown"
    }

    /// Puts signs in place of notes, which a list below explains; other notes are told.
    ///
    /// - Returns: whether there were notes.
    private mutating func number(
        _ code: inout [UInt8],
        _ node: Block,
        _ language: String?,
        _ isAnnotated: Bool
    ) -> Bool {
        guard options.themed, options.borrowedBlocks || isAnnotated else { return false }
        var isExplained = isAnnotated
        if case .list(.ordered, _)? = node.nextSibling?.details { isExplained = true }
        let numbered = isExplained ? CodeAnnotations.numbered(code) : code
        if !Self.isMarkdown(language), CodeAnnotations.areLeft(in: numbered) {
            lists.note(.codeNote, line: node.line, column: node.column)
        }
        defer { code = numbered }
        return isExplained && numbered != code
    }

    private mutating func beginTab(ofCode info: String, _ node: Block) {
        let language = CodeLanguage.name(inInfo: info).flatMap(CodeLanguage.label)
        let title = CodeInfo(info).title ?? language ?? "\u{2026}"
        let isFirst = beginTab(in: node.parent)
        write(tab: Array(title.utf8), 0, onLine: node.line)
        enterTab(in: node.parent, isFirst: isFirst)
    }

    /// Begins the box around a block, which has a heading: its title, its language or both.
    private mutating func beginBox(label: String?, _ details: CodeInfo?, isAnnotated: Bool) {
        write("<div class=\"code")
        if isAnnotated { write(" is-annotated") }
        if let label {
            write("\" data-language=\"")
            write(text: label)
        }
        write("\">\n")
        guard let title = details?.title, !title.isEmpty else { return }
        write("<p class=\"code-title\">")
        write(text: HTMLText.escape(title))
        write("</p>\n")
    }

    /// Writes the numbers of lines, and what lies behind lines that stand out: one text of as many
    /// lines as the code has, so that lines need no elements of their own.
    private mutating func writeLines(of code: [UInt8], _ details: CodeInfo, isDiff: Bool) {
        let lines = CodeLines(code.span, details, isDiff: isDiff)
        if let first = details.firstNumber, lines.count > 0 {
            write("<span class=\"code-numbers\" aria-hidden=\"true\">")
            write(text: (first..<first + lines.count).map(String.init).joined(separator: "\n"))
            write("</span>")
        }
        guard lines.hasMarks else { return }
        write("<span class=\"code-marks\" aria-hidden=\"true\">")
        output.html += lines.marks
        write("</span>")
    }

    /// A closing fence that is none ends no block: the rest of the page is code.
    private mutating func findLiteralFences(in node: Block) {
        let source = tree.source
        let last = node.endLine
        guard source.allTraits.contains(.literalMark), last > node.line else { return }
        let start = source.bytes[source.line(node.line)].dropFirst(node.column - 1)
        guard let mark = start.first, "`~".utf8.contains(mark) else { return }
        let fence = String(decoding: start.prefix { $0 == mark }, as: UTF8.self)
        for line in node.line + 1...last
        where source.traits[line - 1].contains(.literalMark) {
            guard let found = LiteralMark(endOfCode: source, source.line(line)),
                found.mark.hasPrefix(fence)
            else { continue }
            let place = SourceRange(line: line, column: found.offset + 1)
            find(.literalMark(found.mark, space: found.space), place)
        }
    }
}
