/// Texts of another system as Markdown in which they mean nothing but themselves.
///
/// Whoever writes a page in another system must not be able to write HTML, front matter, an
/// include or an access rule here.
enum MarkdownText {
    /// A text within a line.
    static func escaped(_ text: String) -> String {
        if let rule = AccessRule.word(in: text) {
            return escaped(String(text[..<rule.lowerBound])) + "`\(text[rule])`"
                + escaped(String(text[rule.upperBound...]))
        }
        var result = ""
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let before = index > 0 ? scalars[index - 1] : " "
            let after = index + 1 < scalars.count ? scalars[index + 1] : " "
            switch scalar {
            case "\\", "`", "*", "[", "]", "<", "{", "~", "$": result += "\\"
            case "_" where !(isWord(before) && isWord(after)): result += "\\"
            case "&" where isWord(after) || after == "#": result += "\\"
            case ":" where !(before.isASCII && isWord(before)) && isWord(after): result += "\\"
            case "=" where before == "=" || after == "=": result += "\\"
            case "+" where before == "+" || after == "+": result += "\\"
            case "%" where before == "%" || after == "%" || before == "{": result += "\\"
            case "\0"..<" ", "\u{7F}":
                result += " "
                continue
            default: break
            }
            result.unicodeScalars.append(scalar)
        }
        return result
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// The end of a line within a paragraph; whitespace, so that no text contains it.
    static let lineBreak: Character = "\u{2028}"

    /// A paragraph, whose lines begin no list, heading, quote or other block.
    static func paragraph(_ inline: String) -> String {
        inline.split(separator: lineBreak).map { String($0).trimmedSpaces[...] }
            .filter { !$0.isEmpty }.map(guarded).joined(separator: "\\\n")
    }

    private static func guarded(_ line: Substring) -> String {
        // A comment begins a block of HTML, to which the text behind it would belong.
        if line.hasPrefix("<!--") { return "&#8203;\(line)" }
        for word in ["import", "export"] where line.hasPrefix(word) {
            let first = word == "import" ? "&#105;" : "&#101;"
            return first + line.dropFirst()
        }
        let second = line.dropFirst().first
        switch line.first {
        case "#", ">", "=", "|", ":": return "\\\(line)"
        case "-", "+":
            return second == nil || second == " " || second == line.first
                ? "\\\(line)" : String(line)
        case "!", "?": return second == line.first ? "\\\(line)" : String(line)
        default: break
        }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, let mark = line.dropFirst(digits.count).first, ".)".contains(mark) {
            return "\(digits)\\\(line.dropFirst(digits.count))"
        }
        return String(line)
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
    static func code(_ text: String) -> String {
        let text = text.words
        if text.isEmpty { return "" }
        if mayInclude(text) { return "<code>\(html(text))</code>" }
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        let space = text.hasPrefix("`") || text.hasSuffix("`") ? " " : ""
        return fence + space + text + space + fence
    }

    /// A block of code.
    static func codeBlock(
        _ text: String,
        language: String = "",
        title: String = "",
        isDrawn: Bool = false
    )
        -> String
    {
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }[...]
        while let first = lines.first, first.allSatisfy(\.isWhitespace) { lines.removeFirst() }
        while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
        if mayInclude(text) {
            return "<pre><code>\(html(lines.joined(separator: "\n")))</code></pre>"
        }
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
        let name = language.lowercased().filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+#.-".contains($0))
        }
        let title = title.words.filter { !"\"`{}[]\\<".contains($0) }
        var info = drawn.contains(name) && !isDrawn ? "text" : name
        if !title.isEmpty { info = "\(info.isEmpty ? "text" : info) title=\"\(title)\"" }
        return (["\(fence)\(info)"] + lines.map(String.init) + [fence]).joined(separator: "\n")
    }

    /// Languages that are drawn here, and were code elsewhere.
    private static let drawn: Set<String> = ["dot", "graphviz", "math", "mermaid", "puml"]

    /// Whether a line could be taken for an include, which counts in code, too.
    private static func mayInclude(_ text: String) -> Bool {
        ["{{", "{%", "-8<-", "[!"].contains { text.contains($0) }
    }

    private static func longestRun(of mark: Character, in text: String) -> Int {
        var (longest, run) = (0, 0)
        for character in text {
            run = character == mark ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The address of a link, in the characters that end neither it nor a link.
    static func destination(_ address: String) -> String {
        var result = ""
        for byte in address.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if byte == UInt8(ascii: "&") {
                result += "&amp;"
            } else if byte < 0x80,
                character.isLetter || character.isNumber || "/:?#@!'+,;=%~-._".contains(character)
            {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return result
    }

    /// A mark for whoever edits the page; readers do not see it.
    static func comment(_ text: String) -> String {
        let words = text.unicodeScalars.map { scalar in
            isWord(scalar) || ".,/:='".unicodeScalars.contains(scalar) ? Character(scalar) : " "
        }
        return "<!-- import: \(String(words).words.prefix(200)) -->"
    }

    /// A value in front matter or in TOML, in which JSON's texts are texts, too.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
