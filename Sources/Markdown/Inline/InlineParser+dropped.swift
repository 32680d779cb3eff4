import Bytes
import CodeBlocks

/// What other tools take out of a text: attributes, comments, names of icons.
extension InlineParser {
    mutating func parseDropped() {
        guard options.borrowedBlocks, let end = endOfDropped(position) else {
            return appendText(to: position + 1)
        }
        drop(to: end)
    }

    mutating func drop(to end: Int) {
        let node = append(.dropped, position..<end, from: position)
        tree[node].end = end
        position = end
    }

    /// The code in `#!py code`, in which MkDocs takes the first word for its language.
    func withoutLanguage(_ code: Range<Int>) -> Range<Int> {
        let text = bytes(code)
        guard options.borrowedBlocks, text.starts(with: "#!".utf8) else { return code }
        let rest = text.dropFirst(2).drop { $0.isLetterOrDigit || "#+-._".utf8.contains($0) }
        let language = text.count - rest.count - 2
        guard (1...20).contains(language), rest.count > 1, rest.first == .space else { return code }
        return code.upperBound - rest.count + 1..<code.upperBound
    }

    mutating func parseEmoji() -> Bool {
        guard options.borrowedBlocks,
            let (character, end) = EmojiCode.character(in: input.span, at: position)
        else { return false }
        if character.isEmpty {
            drop(to: end)
        } else {
            append(.text, keep(character), from: position)
            let name = input[position + 1..<end - 1]
            emoji.append(
                (String(decoding: character, as: UTF8.self), String(decoding: name, as: UTF8.self))
            )
            position = end
        }
        return true
    }

    /// The comments of MDX, Hugo, Jinja, Obsidian, kramdown and Liquid.
    static let comments: [(open: StaticString, close: StaticString)] = [
        ("{/*", "*/}"), ("{{/*", "*/}}"), ("{# ", "#}"), ("%%", "%%"),
        ("{::comment}", "{:/comment}"), ("{% comment %}", "{% endcomment %}"),
        ("{{% comment %}}", "{{% /comment %}}"), ("{{< comment >}}", "{{< /comment >}}"),
    ]

    private mutating func endOfDropped(_ start: Int) -> Int? {
        for (open, close) in Self.comments where input.span.has(open, at: start) {
            return endOfComment(start + open.utf8CodeUnitCount, close)
        }
        return endOfAttributes(start)
    }

    private mutating func endOfComment(_ start: Int, _ close: StaticString) -> Int? {
        let name = String(describing: close)
        if missingEnds.contains(name) { return nil }
        // No word stands at the outer side of '%%'.
        let isPercent = input[start - 1] == UInt8(ascii: "%")
        if isPercent, start > 2, input[start - 3].isLetterOrDigit { return nil }
        for index in start..<max(start, input.count) where input.span.has(close, at: index) {
            let end = index + close.utf8CodeUnitCount
            if isPercent, byte(end)?.isLetterOrDigit == true { continue }
            return end
        }
        missingEnds.insert(name)
        return nil
    }

    /// `{: .class }` of kramdown, `{ #id .class key="value" }` of Python-Markdown and Pandoc: behind
    /// something that has them, or at the end of a line.
    private func endOfAttributes(_ start: Int) -> Int? {
        guard byte(start) == UInt8(ascii: "{") else { return nil }
        let rest = input[(start + 1)...].prefix(200)
        guard let close = rest.firstIndex(where: { $0 == UInt8(ascii: "}") || $0.isLineEnd }),
            input[close] == UInt8(ascii: "}")
        else { return nil }
        var inside = rest[..<close]
        let hasColon = inside.first == UInt8(ascii: ":")
        if hasColon { inside = inside.dropFirst() }
        inside = inside.trimmed(where: \.isSpaceOrTab)
        let before = start > 0 ? input[start - 1] : .newline
        // An icon's, too.
        let isOfElement =
            ")]*_`>\"".utf8.contains(before)
            || tree.nodes.last?.kind == .dropped && tree.nodes.last?.end == start
        guard let first = inside.first,
            hasColon || ".#".utf8.contains(first)
                || isOfElement && first.isLetter
                    && inside.contains(UInt8(ascii: "=")),
            inside.count > 1, inside[inside.startIndex + 1].isLetter || hasColon,
            BlockAttributes(inside) != nil
        else { return nil }
        if isOfElement { return close + 1 }
        let isEndOfLine = byte(close + 1)?.isLineEnd ?? true
        guard isEndOfLine, before.isWhitespace else { return nil }
        return hasColon || before.isLineEnd ? close + 1 : nil
    }
}
