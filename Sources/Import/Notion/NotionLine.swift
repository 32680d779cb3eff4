/// A line of Notion's Markdown in ours: links lead to the new pages, and what has a meaning in
/// Markdown here and none in Notion is text.
enum NotionLine {
    typealias Link = (_ address: String, _ text: String, _ isImage: Bool) -> String

    static func rewritten(_ line: Substring, _ link: Link) -> String {
        let characters = Array(line)
        var result = ""
        var position = 0
        while position < characters.count {
            let character = characters[position]
            let next = position + 1 < characters.count ? characters[position + 1] : " "
            switch character {
            case "\\" where next.isASCII && (next.isPunctuation || next.isSymbol):
                result += [character, next]
                position += 2
                continue
            case "`":
                let count = characters[position...].prefix { $0 == "`" }.count
                if let end = endOfCode(characters, from: position + count, count) {
                    let code = characters[(position + count)..<end]
                    result += MarkdownText.code(String(code))
                    position = end + count
                    continue
                }
                result += String(repeating: "\\`", count: count)
                position += count
                continue
            case "!" where next == "[":
                if let found = address(characters, position + 1) {
                    result += link(found.address, found.text, true)
                    position = found.end
                    continue
                }
                result += "!"
            case "[":
                if let found = address(characters, position) {
                    result += link(found.address, rewritten(found.text[...], link), false)
                    position = found.end
                    continue
                }
                // A task in a list.
                let isTask =
                    result.allSatisfy { "-*+ ".contains($0) } && !result.isEmpty
                    && position + 2 < characters.count && " xX".contains(next)
                    && characters[position + 2] == "]"
                result += isTask ? "[" : "\\["
            case "<": result += isTag(characters[position...]) ? "<" : "\\<"
            case "{": result += next == "%" ? "\\{\\" : "\\{"
            case ":" where next == ":": result += "\\:"
            case "=" where next == "=": result += "\\="
            case "+" where next == "+": result += "\\+"
            case "!" where next == "!" && result.isEmpty, "?" where next == "?" && result.isEmpty:
                result += "\\\(character)"
            default: result.append(character)
            }
            position += 1
        }
        if let rule = AccessRule.word(in: result), result[..<rule.lowerBound].allSatisfy(\.isMark) {
            return "\(result[..<rule.lowerBound])`\(result[rule])`\(result[rule.upperBound...])"
        }
        for word in ["import ", "export "] where result.hasPrefix(word) {
            return (word.hasPrefix("i") ? "&#105;" : "&#101;") + result.dropFirst()
        }
        return result
    }

    private static func endOfCode(_ characters: [Character], from start: Int, _ count: Int) -> Int?
    {
        var position = start
        while position < characters.count {
            let run = characters[position...].prefix { $0 == "`" }.count
            if run == count { return position }
            position += max(run, 1)
        }
        return nil
    }

    /// `[text](address)`, with brackets that match.
    private static func address(
        _ characters: [Character],
        _ start: Int
    ) -> (text: String, address: String, end: Int)? {
        guard let close = end(characters, start, "[", "]"), close + 1 < characters.count,
            characters[close + 1] == "(", let end = end(characters, close + 1, "(", ")")
        else { return nil }
        let address = String(characters[(close + 2)..<end]).trimmedSpaces
        return (String(characters[(start + 1)..<close]), address, end + 1)
    }

    private static func end(
        _ characters: [Character],
        _ start: Int,
        _ open: Character,
        _ close: Character
    ) -> Int? {
        var depth = 0
        // No link is longer; a line of brackets costs its length, not the square of it.
        for position in start..<min(characters.count, start + 4096) {
            if position > start, characters[position - 1] == "\\" { continue }
            if characters[position] == open { depth += 1 }
            if characters[position] == close { depth -= 1 }
            if depth == 0 { return position }
        }
        return nil
    }

    /// The elements that Notion writes, without attributes, and addresses in brackets.
    private static func isTag(_ characters: ArraySlice<Character>) -> Bool {
        let name = String(characters.dropFirst().prefix(10)).lowercased()
        return ["details>", "summary>", "br>", "br/>", "u>", "sub>", "sup>", "kbd>"].contains {
            name.hasPrefix($0) || name.hasPrefix("/" + $0)
        }
    }
}

extension Character {
    /// Whether it may stand between the beginning of a line and its text.
    fileprivate var isMark: Bool { "-+0123456789.) ".contains(self) }
}
