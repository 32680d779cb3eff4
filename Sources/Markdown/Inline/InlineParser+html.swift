import Bytes
import HTML

/// What begins with `<`: addresses in angle brackets, and raw HTML.
extension InlineParser {
    mutating func parsePointyBracket() {
        let start = position
        if let (end, isEmail) = AngleAutolink.end(input, after: start + 1) {
            let content = input[start + 1..<end]
            let text = CharacterReference.resolved(content, escapes: false)
            var link = node(.link, from: start, to: (isEmail ? "mailto:" : "") + text)
            link.end = end + 1
            let index = tree.append(link)
            let shown = options.wikiLinks ? Self.label(ofAddress: text) : text
            _ = tree.append(.init(kind: .text, text: keep(shown.utf8), offset: start), to: index)
            position = end + 1
        } else if let end = endOfHTML(at: start) {
            let html = append(.html, start..<end, from: start)
            tree[html].end = end
            position = end
        } else if options.borrowedBlocks, let tag = ScriptExpressions.tag(in: input, at: start) {
            let html = append(.html, keep(tag), from: start)
            position = start + tag.count
            tree[html].end = position
        } else {
            if let next = byte(start + 1), (65...90).contains(next) { leftovers.insert(start) }
            appendText(to: start + 1)
        }
    }

    /// What readers see of an address: `The Basics` for DocC's `doc:TheBasics`, and of a heading its
    /// name.
    private static func label(ofAddress text: String) -> String {
        guard text.hasPrefix("doc:") else { return text }
        let last = text.dropFirst(4).split { $0 == "#" || $0 == "/" }.last ?? ""
        if text.contains("#") { return last.split(separator: "-").joined(separator: " ") }
        var label = ""
        for character in last {
            if character.isUppercase, label.last?.isLowercase == true { label.append(" ") }
            label.append(character == "-" ? " " : character)
        }
        return label
    }

    /// Comments, instructions, declarations, CDATA and tags.
    private mutating func endOfHTML(at start: Int) -> Int? {
        let rest = input[start...]
        if rest.starts(with: "<!--".utf8) {
            let content = input[(start + 4)...]
            // CommonMark 0.30 has no comment that begins like this.
            if content.starts(with: ">".utf8) || content.starts(with: "->".utf8) { return nil }
            // Nor one with two hyphens in it, or that ends with three. So its first two hyphens are
            // its end, and no scan goes beyond the next '<!--'.
            return endOfComment(from: start + 4)
        }
        if rest.starts(with: "<?".utf8) { return end(of: "?>", from: start + 2, step: 2) }
        if rest.starts(with: "<![CDATA[".utf8) { return end(of: "]]>", from: start + 9, step: 3) }
        if rest.starts(with: "<!".utf8) {
            // As libcmark has it: a name in capitals, and something after it.
            var scan = start + 2
            while let next = byte(scan), (65...90).contains(next) { scan += 1 }
            guard scan > start + 2, byte(scan)?.isWhitespace == true else { return nil }
            return end(of: ">", from: scan)
        }
        return HTMLTagScanner.endOfTag(input[...], at: start)
    }

    private func endOfComment(from start: Int) -> Int? {
        let hyphen = UInt8(ascii: "-")
        var index = start
        while index + 2 < input.count {
            if input[index] == hyphen, input[index + 1] == hyphen {
                return input[index + 2] == UInt8(ascii: ">") ? index + 3 : nil
            }
            index += 1
        }
        return nil
    }

    /// - Parameter step: how far a first byte of the mark leads that is not followed by the rest.
    private mutating func end(of mark: String, from start: Int, step: Int = 1) -> Int? {
        if missingEnds.contains(mark) { return nil }
        let bytes = Array(mark.utf8)
        var index = start
        while index + bytes.count <= input.count {
            guard input[index] == bytes[0] else {
                index += 1
                continue
            }
            let matched = zip(bytes, input[index...]).prefix { $0 == $1 }.count
            if matched == bytes.count { return index + matched }
            index += step == 1 ? 1 : matched + 1
        }
        missingEnds.insert(mark)
        return nil
    }
}
