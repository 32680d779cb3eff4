import Bytes

/// Finds syntax of other tools in the text of a paragraph, a heading or a table cell.
struct ForeignConstructFinder {
    struct Found {
        let construct: ForeignConstruct
        let offset: Int
        /// Of a marker; empty for other constructs.
        var name = ""
    }

    private let text: [UInt8]
    private let tree: InlineTree
    /// Where tags stand that are understood.
    private let addresses: [Range<Int>]
    /// Where marks stand that the parser left as text.
    private let leftovers: Set<Int>
    /// Whether the text may begin with `: `, as below a term that is a paragraph of its own.
    private let mayBeDefinition: Bool
    /// The last `}` or line end that a search found: every brace before it ends there.
    private var braceEnd = -1
    /// The ends of links, images and references to footnotes; of embeds, those of files.
    private lazy var linkEnds = ends()
    /// The last `%%` that may end a comment; -1 where there is none.
    private lazy var lastCommentEnd = commentEnd(text.indices.reversed()) ?? -1

    /// - Parameter mayBeDefinition: whether the text is a paragraph below another one.
    init(
        _ text: [UInt8],
        _ tree: InlineTree,
        addresses: [Range<Int>],
        leftovers: Set<Int>,
        mayBeDefinition: Bool
    ) {
        self.text = text
        self.tree = tree
        self.addresses = addresses
        self.leftovers = leftovers
        self.mayBeDefinition = mayBeDefinition
    }

    /// In the order of the text; code and understood tags are passed over.
    mutating func found() -> [Found] {
        let code = code()
        var found: [Found] = []
        var nextCode = 0
        var index = 0
        while index < text.count {
            if nextCode < code.count, code[nextCode].lowerBound <= index {
                index = max(index, code[nextCode].upperBound)
                nextCode += 1
                continue
            }
            if let construct = construct(at: index) {
                let name = construct == .ruleMarker ? name(after: index + 2) : ""
                found.append(Found(construct: construct, offset: index, name: name))
                // What it holds is its own.
                index += 2
                if construct == .container {
                    index = text[index...].firstIndex(where: \.isLineEnd) ?? text.count
                }
                if construct == .comment, text[index - 2] == UInt8(ascii: "%") {
                    index = commentEnd(index..<text.count).map { $0 + 1 } ?? index
                }
            }
            index += 1
        }
        return found
    }

    private func code() -> [Range<Int>] {
        var code: [Range<Int>] = []
        tree.walk { node, _ in
            switch node.kind {
            case .code, .formula, .dropped:
                if node.end > node.offset { code.append(node.offset..<node.end) }
            default: break
            }
        }
        if addresses.isEmpty { return code }
        return (code + addresses).sorted { $0.lowerBound < $1.lowerBound }
    }

    private func ends() -> Set<Int> {
        var ends: Set<Int> = []
        tree.walk { node, _ in
            switch node.kind {
            case .link, .image, .footnoteReference: ends.insert(node.end)
            case .wikiLink where Self.isFile(text[node.offset..<node.end]): ends.insert(node.end)
            default: break
            }
        }
        return ends
    }

    private mutating func construct(at index: Int) -> ForeignConstruct? {
        switch text[index] {
        case UInt8(ascii: "{"): return isComment(at: index) ? .comment : braces(at: index)
        case UInt8(ascii: "%") where has("%%", at: index):
            return isPercentComment(at: index) ? .comment : nil
        case UInt8(ascii: "*"): return leftovers.contains(index) ? .looseStars : nil
        case UInt8(ascii: "]") where leftovers.contains(index):
            if byte(index + 1) == UInt8(ascii: "[") {
                return isReference(at: index) ? .looseReference : nil
            }
            let address = text[(index + 2)...].prefix { !$0.isLineEnd && !"[)".utf8.contains($0) }
            return byte(address.endIndex) == UInt8(ascii: ")") ? .looseLink : nil
        case UInt8(ascii: "<") where leftovers.contains(index):
            return isComponent(at: index) ? .component : nil
        case UInt8(ascii: "["): return brackets(at: index)
        case UInt8(ascii: "!") where has("![[", at: index): return embed(at: index)
        case UInt8(ascii: ":"):
            return isLineStart(index) ? line(at: index) : nil
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "-"),
            UInt8(ascii: "r"), UInt8(ascii: "i"), UInt8(ascii: "e"), UInt8(ascii: "("),
            UInt8(ascii: "@"):
            return isLineStart(index) ? line(at: index) : nil
        default: return nil
        }
    }

    private mutating func braces(at index: Int) -> ForeignConstruct? {
        if has("{{", at: index) { return isShortcode(at: index) ? .shortcode : nil }
        if has("{* ", at: index) { return isLineStart(index) ? .snippet : nil }
        if has("{%", at: index) { return isTag(index + 2) ? .templateTag : nil }
        // A path in JSON: '{.status.name}'.
        if index > 0, "\"'=".utf8.contains(text[index - 1]) { return nil }
        let marks: [StaticString] = ["{: ", "{:", "{ "]
        let start = marks.first { has($0, at: index) } ?? "{"
        let hasColon = byte(index + 1) == UInt8(ascii: ":")
        let next = index + start.utf8CodeUnitCount
        let begins = ".#".utf8.contains(byte(next)) || (hasColon && isLetter(next))
        guard begins, isLetter(next + 1) || hasColon else { return nil }
        return brace(behind: next) == nil ? nil : .attributeList
    }

    /// The next `}` on the line.
    private mutating func brace(behind start: Int) -> Int? {
        if braceEnd < start {
            let end = text[min(start, text.count)...]
                .firstIndex { $0 == UInt8(ascii: "}") || $0.isLineEnd }
            braceEnd = end ?? text.count
        }
        return byte(braceEnd) == UInt8(ascii: "}") ? braceEnd : nil
    }

    private mutating func embed(at index: Int) -> ForeignConstruct? {
        let rest = text[(index + 3)...].prefix { !$0.isLineEnd && $0 != UInt8(ascii: "[") }
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > index + 3,
            has("]]", at: end), !"([".utf8.contains(byte(end + 2)), !linkEnds.contains(end + 2)
        else { return nil }
        return .embed
    }

    /// Whether `![[b.pdf#page=2|text]]` names a file that is no note: a link is all it can be.
    private static func isFile(_ embed: ArraySlice<UInt8>) -> Bool {
        let name = embed.dropFirst(3).prefix { !"#|]".utf8.contains($0) }
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { name[($0 + 1)...] } ?? []
        return (2...5).contains(ending.count) && ending.allSatisfy(\.isLetterOrDigit)
            && !["md", "mdx"].contains { ending.elementsEqual($0.utf8) }
    }

    /// `[@key]`, `[-@key, p. 3]`; `[!NAME]` and `[!NAME [title](file)]` at the beginning of a line.
    private mutating func brackets(at index: Int) -> ForeignConstruct? {
        let isCitation = has("[@", at: index) || has("[-@", at: index)
        guard isCitation || has("[!", at: index) && isLineStart(index), !isEscaped(index) else {
            return nil
        }
        let start = index + (has("[-", at: index) ? 3 : 2)
        let line = text[min(start, text.count)...].prefix(300).prefix { !$0.isLineEnd }
        let name = line.prefix { $0.isLetterOrDigit || "-_:.".utf8.contains($0) }
        guard isLetter(start), let end = line.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let next = byte(name.endIndex)
        if isCitation {
            let isLink = "([:".utf8.contains(byte(end + 1)) || linkEnds.contains(end + 1)
            return "],; ".utf8.contains(next) && !isLink ? .citation : nil
        }
        if next == UInt8(ascii: "]") { return "([:".utf8.contains(byte(end + 1)) ? nil : .alert }
        return " |[".utf8.contains(next) ? .alert : nil
    }

    /// `[text][name]`, and not `a[i][j]`; at the bracket between them.
    private mutating func isReference(at index: Int) -> Bool {
        let name = text[(index + 2)...].prefix(100).prefix { !"[]".utf8.contains($0) }
        guard isLetter(index + 2), byte(name.endIndex) == UInt8(ascii: "]"),
            !linkEnds.contains(name.endIndex + 1),
            let open = text[..<index].suffix(200).lastIndex(of: UInt8(ascii: "["))
        else { return false }
        return open == 0 || !text[open - 1].isPartOfWord
    }

    /// `<Name attribute=…` that the parser did not take for a tag.
    private func isComponent(at index: Int) -> Bool {
        if index > 0, text[index - 1].isLetterOrDigit { return false }
        func isName(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || ".-".utf8.contains(byte) }
        let name = text[(index + 1)...].prefix(while: isName)
        let attribute = text[name.endIndex...].drop(while: \.isWhitespace).prefix(while: isName)
        return byte(name.endIndex).isWhitespace && byte(attribute.startIndex).isLetter
            && byte(attribute.endIndex) == UInt8(ascii: "=")
    }

    private func line(at index: Int) -> ForeignConstruct? {
        if has("!!! ", at: index), isLetter(index + 4) { return .admonition }
        if has("??? ", at: index), isLetter(index + 4) { return .admonition }
        if has("???+ ", at: index) { return .admonition }
        if ["=== ", "===! ", "===+ "].contains(where: { has($0, at: index) }) {
            return .contentTab
        }
        if has("--8<--", at: index) || has("-8<-", at: index) { return .snippet }
        if has(":::", at: index) { return .container }
        if has("@", at: index) { return isDirective(at: index) ? .documentationDirective : nil }
        if has(":", at: index) { return isDefinition(at: index) ? .definitionList : nil }
        if has("r[", at: index) { return name(after: index + 2).isEmpty ? nil : .ruleMarker }
        if has("(", at: index) { return isLabel(at: index) ? .label : nil }
        return Self.isModule(text[index...]) ? .module : nil
    }

    /// `: text` below a line of text.
    private func isDefinition(at index: Int) -> Bool {
        guard byte(index + 1).isSpaceOrTab, index > 0 || mayBeDefinition else { return false }
        return text[(index + 1)...].first { !$0.isSpaceOrTab }.map { !$0.isLineEnd } ?? false
    }

    /// `@Name {`, `@Name(key: value) {`, `@Name(key: value)`.
    private func isDirective(at index: Int) -> Bool {
        let line = text[(index + 1)...].prefix { !$0.isLineEnd }
        let name = line.prefix(while: \.isLetterOrDigit)
        guard let first = name.first, (65...90).contains(first) else { return false }
        let rest = line[name.endIndex...]
        let opens = rest.drop(while: \.isSpaceOrTab).first == UInt8(ascii: "{")
        return opens || rest.first == UInt8(ascii: "(") && rest.contains(UInt8(ascii: ":"))
    }

    private func isLabel(at index: Int) -> Bool {
        let line = text[index...].prefix { !$0.isLineEnd }.dropFirst()
        let name = line.prefix { $0 != UInt8(ascii: ")") }
        return !name.isEmpty && !name.contains(where: \.isWhitespace)
            && line[name.endIndex...].elementsEqual(")=".utf8)
    }

    /// Whether the first line is such a statement, and not a sentence that begins with the word.
    static func isModule(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.starts(with: "import ".utf8) || text.starts(with: "export ".utf8) else {
            return false
        }
        let line = text.prefix { !$0.isLineEnd }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count > 1 else { return false }
        if words[0] == "export" { return ["const", "default", "function"].contains(words[1]) }
        guard words[0] == "import", let last = words.last,
            last.hasSuffix("'") || last.hasSuffix("\"") || last.hasSuffix(";")
        else { return false }
        return words.count == 2 || words[words.count - 2] == "from"
    }

    /// The name in `r[name]`, where nothing follows it on the line.
    private func name(after start: Int) -> String {
        let name = text[start...].prefix { $0.isLetterOrDigit || "_.-".utf8.contains($0) }
        let rest = text[name.endIndex...]
        guard rest.first == UInt8(ascii: "]"), rest.dropFirst().first?.isLineEnd ?? true else {
            return ""
        }
        return String(decoding: name, as: UTF8.self)
    }

    private func byte(_ index: Int) -> UInt8 { index < text.count ? text[index] : 0 }

    private func isLetter(_ index: Int) -> Bool { byte(index).isLetter }

    private func isLineStart(_ index: Int) -> Bool { index == 0 || text[index - 1].isLineEnd }

    private func isEscaped(_ index: Int) -> Bool {
        index > 0 && text[index - 1] == UInt8(ascii: "\\")
    }

    private func has(_ mark: StaticString, at start: Int) -> Bool {
        text.span.has(mark, at: start)
    }
}

/// Comments and tags.
extension ForeignConstructFinder {
    private mutating func isComment(at index: Int) -> Bool {
        if ["{::comment", "{/*", "{{/*", "{{- /*"].contains(where: { has($0, at: index) }) {
            return true
        }
        guard has("{#", at: index) else { return false }
        if byte(index + 2).isWhitespace || has("{#- ", at: index) { return true }
        // '{#id}' is a heading's.
        guard let end = brace(behind: index + 2) else { return false }
        return end > index + 2 && text[end - 1] == UInt8(ascii: "#")
    }

    /// `%%`, where the comment ends in the same paragraph or nothing else stands on the line.
    private mutating func isPercentComment(at index: Int) -> Bool {
        if index > 0, text[index - 1].isLetterOrDigit { return false }
        if lastCommentEnd >= index + 2 { return true }
        let rest = text[(index + 2)...].drop(while: \.isSpaceOrTab)
        return isLineStart(index) && rest.first?.isLineEnd ?? true
    }

    /// The first of some positions at which `%%` may end a comment: no word begins there.
    private func commentEnd(_ occurrences: some Sequence<Int>) -> Int? {
        let percent = UInt8(ascii: "%")
        return occurrences.first {
            text[$0] == percent && byte($0 + 1) == percent && !byte($0 + 2).isLetterOrDigit
        }
    }

    /// `{{< name >}}`, `{{#name}}`, `{{ site.title }}`, `{{- name | upper -}}`.
    private mutating func isShortcode(at index: Int) -> Bool {
        // '${{ secrets.NAME }}' belongs to GitHub Actions.
        if index > 0, "$\\".utf8.contains(text[index - 1]) { return false }
        if "<%#".utf8.contains(byte(index + 2)) { return isTag(index + 3) }
        guard isTag(index + 2), let end = brace(behind: index + 2) else { return false }
        return byte(end + 1) == UInt8(ascii: "}")
    }

    /// Whether a name begins at a position, perhaps behind signs that belong to it.
    private func isTag(_ start: Int) -> Bool {
        let name = text[min(start, text.count)...].drop {
            $0.isSpaceOrTab || "-./$".utf8.contains($0)
        }
        return name.first?.isLetter ?? false
    }
}
