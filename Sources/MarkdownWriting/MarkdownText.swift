import Bytes
import HTML

/// Texts as Markdown in which they mean nothing but themselves.
///
/// Whoever writes a page in another system must not be able to write HTML, front matter, an
/// include or an access rule here.
package enum MarkdownText {
    /// A text within a line.
    package static func escaped(_ text: String, _ dialect: MarkdownDialect = .sitegen) -> String {
        let isGitHub = dialect == .gitHub
        if !isGitHub, let rule = AccessRule.word(in: text) {
            return escaped(String(text[..<rule.lowerBound])) + "`\(text[rule])`"
                + escaped(String(text[rule.upperBound...]))
        }
        guard text.utf8.contains(where: { !$0.isPartOfWord && $0 != 32 }) else { return text }
        var result = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let before = index > 0 ? scalars[index - 1] : " "
            let after = index + 1 < scalars.count ? scalars[index + 1] : " "
            switch scalar {
            case "\\", "`", "*", "[", "]", "<", "~": result += "\\"
            case "_" where isGitHub: if before == " " || after == " " { result += "\\" }
            case "_" where !(isWord(before) && isWord(after)): result += "\\"
            case "\0"..<" ", "\u{7F}":
                result += " "
                continue
            case "&" where isGitHub:
                let end = scalars[(index + 1)...].drop { isWord($0) || $0 == "#" }.first
                if end == ";" { result += "\\" }
            case _ where isGitHub: break
            case "{", "$": result += "\\"
            case "&" where isWord(after) || after == "#": result += "\\"
            case ":" where !(before.isASCII && isWord(before)) && isWord(after): result += "\\"
            case "=" where before == "=" || after == "=": result += "\\"
            case "+" where before == "+" || after == "+": result += "\\"
            case "%" where before == "%" || after == "%" || before == "{": result += "\\"
            default: break
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// A paragraph, whose lines begin no list, heading, quote or other block.
    package static func paragraph(_ text: String, _ dialect: MarkdownDialect = .sitegen) -> String {
        text.utf8.split(separator: 10).map { String(Substring($0)).trimmedSpaces }
            .filter { !$0.isEmpty }.map { guarded($0, dialect) }.joined(separator: "\\\n")
    }

    private static func guarded(_ line: String, _ dialect: MarkdownDialect) -> String {
        let first = line.utf8.first ?? 32
        let second = line.utf8.dropFirst().first ?? 32
        switch first {
        case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "="): return "\\\(line)"
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            return second == 32 || second == first ? "\\\(line)" : line
        case 48...57:
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            let rest = line[digits.endIndex...]
            return rest.first == "." || rest.first == ")" ? "\(digits)\\\(rest)" : line
        case _ where dialect == .gitHub: return line
        case UInt8(ascii: "|"), UInt8(ascii: ":"): return "\\\(line)"
        case UInt8(ascii: "!"), UInt8(ascii: "?"): return second == first ? "\\\(line)" : line
        default: break
        }
        // A comment begins a block of HTML, to which the text behind it would belong.
        if line.hasPrefix("<!--") { return "&#8203;\(line)" }
        if line.hasPrefix("import") { return "&#105;\(line.dropFirst())" }
        return line.hasPrefix("export") ? "&#101;\(line.dropFirst())" : line
    }

    /// A text in HTML, in which it is neither markup nor an include nor a rule of access.
    static func html(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            guard let rule = AccessRule.word(in: line) else { return references(line) }
            let second = line.index(after: rule.lowerBound)
            return references(line[..<rule.lowerBound])
                + "&#\(line.unicodeScalars[rule.lowerBound].value);"
                + references(line[second..<rule.upperBound])
                + html(String(line[rule.upperBound...]))
        }
        return lines.joined(separator: "\n")
    }

    private static func references(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&", "<", ">", "\"", "{", "[", "`", "\\", "$", "*":
                result += "&#\(scalar.value);"
            case "\0"..<" " where scalar != "\n" && scalar != "\t": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Code within a line.
    package static func code(_ text: String, _ dialect: MarkdownDialect = .sitegen) -> String {
        let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        if text.utf8.allSatisfy(\.isWhitespace), dialect == .sitegen || text.isEmpty { return "" }
        if dialect == .sitegen, mayInclude(text) { return "<code>\(html(text))</code>" }
        let fence = fence(text, atLeast: 1)
        let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        return fence + space + text + space + fence
    }

    /// A block of code.
    package static func codeBlock(
        _ text: String,
        language: String = "",
        title: String = "",
        isDrawn: Bool = false,
        _ dialect: MarkdownDialect = .sitegen
    ) -> String {
        let text =
            text.utf8.contains(13)
            ? text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .joined(separator: "\n") : text
        var lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .map { Substring($0) }[...]
        while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
        while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
        let code = lines.joined(separator: "\n")
        if dialect == .sitegen, mayInclude(text) { return "<pre><code>\(html(code))</code></pre>" }
        let fence = fence(text, atLeast: 3)
        let name = (dialect == .sitegen ? language.lowercased() : language).filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+#.-_".contains($0))
        }
        let title = title.words.filter { !"\"`{}[]\\<".contains($0) }
        let isRenamed = dialect == .sitegen && !isDrawn && drawn.contains(name)
        var info = isRenamed ? "text" : name
        if !title.isEmpty { info = "\(info.isEmpty ? "text" : info) title=\"\(title)\"" }
        return "\(fence)\(info)\n\(lines.isEmpty ? "" : code + "\n")\(fence)"
    }

    /// Languages that are drawn here, and were code elsewhere.
    private static let drawn: Set<String> = ["dot", "graphviz", "math", "mermaid", "puml"]

    /// Whether a line could be taken for an include, which counts in code, too.
    private static func mayInclude(_ text: String) -> Bool {
        ["{{", "{%", "-8<-", "[!"].contains { text.contains($0) }
    }

    /// Marks around code that has none as long.
    private static func fence(_ code: String, atLeast length: Int) -> String {
        let longest = code.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
        return String(repeating: "`", count: max(length, longest + 1))
    }

    /// The address of a link, in the characters that end neither it nor a link.
    package static func destination(_ address: String) -> String {
        let marks = ["(": "%28", ")": "%29", "*": "%2A", "$": "%24", "&#x27;": "'"]
        return marks.reduce(HTMLText.escapeURL(address)) { $0.replacing($1.key, with: $1.value) }
    }

    /// A mark for whoever edits the page; readers do not see it.
    package static func comment(_ text: String) -> String {
        let words = text.unicodeScalars.map { scalar in
            isWord(scalar) || ".,/:='".unicodeScalars.contains(scalar) ? Character(scalar) : " "
        }
        return "<!-- import: \(String(words).words.prefix(200)) -->"
    }

    /// A value in front matter or in TOML, in which JSON's texts are texts, too.
    package static func quoted(_ text: String) -> String {
        let scalars = printed(text).unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
        }
        return "\"\(scalars.joined())\""
    }

    /// A text with spaces in place of what is no part of a line.
    package static func printed(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}": " "
            default: Character(scalar)
            }
        }
        return String(characters)
    }

    /// The name of a place within a page, in the characters that `{#id}` may have.
    package static func anchor(_ name: String) -> String {
        let id = name.prefix(100).map { character in
            character.isLetter || character.isNumber || "-_.".contains(character) ? character : "-"
        }
        return id.isEmpty ? "x" : String(id)
    }
}
