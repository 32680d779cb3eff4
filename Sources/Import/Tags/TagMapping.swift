import Diagnostics
import MarkdownWriting
import Settings

/// What the tags of another tool become, one line for each.
///
/// `"shortcode alert" = "> [!NOTE] {title}"`: the arguments of the tag stand in braces, by name or by
/// number, and so does `{body}`, the text up to the end tag. A text without `{body}` stands above it.
struct TagMapping {
    private(set) var texts: [String: String] = [:]

    init(_ bytes: [UInt8], path: String) throws(CommandError) {
        let file = SettingsFile(bytes, path: path)
        for key in file.root.keys {
            guard let text = file.root.string(key) else { continue }
            let kind = key.prefix { $0 != " " }
            guard Tag.syntaxes.contains(where: { $0.kind == kind }) else {
                throw CommandError(
                    "\(path): '\(key)' must begin with 'shortcode', 'tag' or 'component'"
                )
            }
            texts[key] = text
        }
        if let mistake = file.diagnostics.first {
            throw CommandError("\(path): \(mistake.message)")
        }
    }

    /// A page in which mapped tags are replaced; the others stay, with a comment.
    ///
    /// - Parameter note: is called for each tag without a mapping.
    func rewritten(_ page: String, note: (String) -> Void) -> String {
        // What has been written since each tag that may still have an end.
        var open: [(tag: Tag?, text: String)] = [(nil, "")]
        func write(_ text: String) { open[open.count - 1].text += text }
        func close(to count: Int) {
            while open.count > count {
                let (tag, text) = open.removeLast()
                if let tag { write(replacement(of: tag, body: nil, end: nil, note) + text) }
            }
        }
        for piece in Self.pieces(page) {
            switch piece {
            case .text(let text): write(String(text))
            case .tag(let tag) where tag.isEnd:
                let index = open.lastIndex { $0.tag?.key == tag.key }
                guard let index else {
                    write(tag.source)
                    continue
                }
                close(to: index + 1)
                let (start, body) = open.removeLast()
                if let start { write(replacement(of: start, body: body, end: tag, note)) }
            case .tag(let tag):
                if tag.isEmpty {
                    write(replacement(of: tag, body: nil, end: nil, note))
                } else {
                    open.append((tag, ""))
                }
            }
        }
        close(to: 1)
        return open[0].text
    }

    private func replacement(
        of tag: Tag,
        body: String?,
        end: Tag?,
        _ note: (String) -> Void
    ) -> String {
        guard let text = texts[tag.key] else {
            if tag.isCertain || end != nil { note("\(tag.syntax.kind) '\(tag.name)'") }
            let mark = tag.isCertain ? MarkdownText.comment(tag.key) : ""
            return tag.source + mark + (body ?? "") + (end?.source ?? "")
        }
        var result = text
        for argument in tag.arguments {
            result = result.replacing("{\(argument.name)}", with: argument.value)
        }
        let content = (body ?? "").trimmedSpaces
        if result.contains("{body}") || content.isEmpty {
            result = result.replacing("{body}", with: content)
        } else {
            let isQuote = result.split(separator: "\n").last?.hasPrefix(">") == true
            let lines = content.split(separator: "\n", omittingEmptySubsequences: false)
            let quoted = lines.map { isQuote ? "> \($0)" : String($0) }.joined(separator: "\n")
            result += (result.isEmpty ? "" : "\n") + quoted
        }
        // Arguments that the tag does not have.
        return result.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            Self.withoutPlaceholders(line)
        }.joined(separator: "\n")
    }

    private static func withoutPlaceholders(_ line: Substring) -> String {
        guard let start = line.firstIndex(of: "{"), let end = line[start...].firstIndex(of: "}"),
            line[start..<end].dropFirst().allSatisfy({ $0.isLetter || $0.isNumber }),
            line.index(after: start) < end
        else { return String(line) }
        return (line[..<start] + line[end...].dropFirst()).description
    }

    private enum Piece {
        case text(Substring)
        case tag(Tag)
    }

    /// Where the text of a page begins.
    private static func endOfFrontMatter(_ page: String) -> String.Index {
        for (fence, newline) in [("---", "\n"), ("+++", "\n"), ("---", "\r\n"), ("+++", "\r\n")]
        where page.hasPrefix(fence + newline) {
            return page.firstRange(of: newline + fence)?.upperBound ?? page.endIndex
        }
        return page.startIndex
    }

    /// The tags of a page, and what stands between them; code and front matter have none.
    private static func pieces(_ page: String) -> [Piece] {
        var pieces: [Piece] = []
        var start = page.startIndex
        var position = endOfFrontMatter(page)
        var fence: Substring?
        var isLineStart = true
        while position < page.endIndex {
            if isLineStart {
                let content = page[position...].drop { $0 == " " }
                let marks = content.prefix { $0 == content.first && "`~".contains($0) }
                if let open = fence, marks.hasPrefix(open) {
                    fence = nil
                } else if fence == nil, marks.count >= 3 {
                    fence = marks
                }
            }
            let character = page[position]
            isLineStart = character.isNewline
            if fence == nil, character == "`" {
                let marks = page[position...].prefix { $0 == "`" }
                let line = page[marks.endIndex...].prefix { !$0.isNewline }
                position = line.firstRange(of: marks)?.upperBound ?? marks.endIndex
                continue
            }
            if fence == nil, character == "{" || character == "<", let tag = Tag(page[position...])
            {
                pieces += [.text(page[start..<position]), .tag(tag)]
                position = page.index(position, offsetBy: tag.source.count)
                start = position
                continue
            }
            position = page.index(after: position)
        }
        return pieces + [.text(page[start...])]
    }
}
