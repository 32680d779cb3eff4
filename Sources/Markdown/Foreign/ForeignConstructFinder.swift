import Bytes

/// Finds syntax of other tools in the text of a paragraph, a heading or a table cell.
struct ForeignConstructFinder {
    struct Found {
        let construct: ForeignConstruct
        let offset: Int
        /// Of a marker, or of an emoji; empty for other constructs.
        var name = ""
    }

    private let text: [UInt8]
    private let tree: InlineTree
    /// Where tags stand that are understood.
    private let addresses: [Range<Int>]
    /// Whether the text may begin with `: `, as below a term that is a paragraph of its own.
    private let mayBeDefinition: Bool
    /// The last `}` or line end that a search found: every brace before it ends there.
    private var braceEnd = -1
    /// How many `[` are open.
    private var openBrackets = 0
    /// The ends of links, images and references to footnotes.
    private lazy var linkEnds = ends()
    /// The last `%%` that may end a comment; -1 where there is none.
    private lazy var lastCommentEnd = commentEnd(text.indices.reversed()) ?? -1

    /// - Parameter mayBeDefinition: whether the text is a paragraph below another one.
    init(
        _ text: [UInt8],
        _ tree: InlineTree,
        addresses: [Range<Int>] = [],
        mayBeDefinition: Bool
    ) {
        self.text = text
        self.tree = tree
        self.addresses = addresses
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
                let words = words(of: construct, at: index)
                found.append(Found(construct: construct, offset: index, name: words))
                // What it holds is its own.
                index += max(2, construct == .emojiCode ? words.utf8.count - 1 : 2)
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

    private func words(of construct: ForeignConstruct, at index: Int) -> String {
        switch construct {
        case .ruleMarker: return name(after: index + 2)
        case .emojiCode:
            let end = EmojiCode.end(in: text.span, at: index) ?? index
            return String(decoding: text[index..<end], as: UTF8.self)
        default: return ""
        }
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
        case UInt8(ascii: "]"):
            if isEscaped(index) { return nil }
            openBrackets -= 1
            if openBrackets >= 0 { return isSpacedAddress(at: index) ? .spacedAddress : nil }
            openBrackets = 0
            return nil
        case UInt8(ascii: "=") where isImageSize(at: index):
            let end = text[index...].firstIndex(of: UInt8(ascii: ")")) ?? index
            return linkEnds.contains(end + 1) ? nil : .imageSize
        case UInt8(ascii: "["):
            if !isEscaped(index) { openBrackets += 1 }
            return has("[!", at: index) ? learnDirective(at: index) : nil
        case UInt8(ascii: "!") where has("![[", at: index): return embed(at: index)
        case UInt8(ascii: ":"):
            if isLineStart(index), let construct = line(at: index) { return construct }
            return EmojiCode.end(in: text.span, at: index) == nil ? nil : .emojiCode
        case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "-"),
            UInt8(ascii: "r"), UInt8(ascii: "i"), UInt8(ascii: "e"), UInt8(ascii: "("):
            return isLineStart(index) ? line(at: index) : nil
        default: return nil
        }
    }

    private mutating func braces(at index: Int) -> ForeignConstruct? {
        if has("{{#", at: index), isLetter(index + 3) { return .bookDirective }
        if has("{{<", at: index) || has("{{%", at: index) { return .shortcode }
        if has("{% ", at: index) || has("{%-", at: index) { return .templateTag }
        if has("{{", at: index) { return isTemplateName(at: index) ? .templateTag : nil }
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

    /// ` =100x50)`, `=100x)`, `=x50)` or `=50%x)` behind `](file`.
    private func isImageSize(at index: Int) -> Bool {
        guard index > 0, text[index - 1] == .space else { return false }
        let size = text[(index + 1)...].prefix { $0.isDigit || "x%".utf8.contains($0) }
        guard size.contains(where: \.isDigit), size.count(where: { $0 == UInt8(ascii: "x") }) == 1,
            byte(size.endIndex) == UInt8(ascii: ")")
        else { return false }
        // No further back than to the white space before the file's name.
        var start = index - 1
        while start > 0, !text[start - 1].isWhitespace, !"()".utf8.contains(text[start - 1]) {
            start -= 1
        }
        return start >= 2 && has("](", at: start - 2)
    }

    private mutating func embed(at index: Int) -> ForeignConstruct? {
        let rest = text[(index + 3)...].prefix { !$0.isLineEnd && $0 != UInt8(ascii: "[") }
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > index + 3,
            has("]]", at: end), !"([".utf8.contains(byte(end + 2)), !linkEnds.contains(end + 2)
        else { return nil }
        return .embed
    }

    private func learnDirective(at index: Int) -> ForeignConstruct? {
        let word = text[(index + 2)...].prefix { $0.isLetter || $0 == UInt8(ascii: "-") }
        let name = String(decoding: word, as: UTF8.self).lowercased()
        let isKnown =
            ["include", "video", "embed", "div"].contains(name) || name.hasPrefix("code-")
        return isKnown && " [".utf8.contains(byte(word.endIndex)) ? .learnDirective : nil
    }

    private func line(at index: Int) -> ForeignConstruct? {
        if has("!!! ", at: index), isLetter(index + 4) { return .admonition }
        if has("??? ", at: index), isLetter(index + 4) { return .admonition }
        if has("???+ ", at: index) { return .admonition }
        if ["=== ", "===! ", "===+ "].contains(where: { has($0, at: index) }) {
            return .contentTab
        }
        if has("--8<--", at: index) || has("-8<-", at: index) { return .snippet }
        if has(":::", at: index) { return container(at: index) }
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

    private func container(at index: Int) -> ForeignConstruct? {
        let word = text[index...].drop { $0 == UInt8(ascii: ":") || $0.isSpaceOrTab }
            .prefix { !$0.isWhitespace && !"[{".utf8.contains($0) }
        // '::: {.name}' of Pandoc, ':::{name}' of MyST.
        if word.isEmpty, byte(word.startIndex) == UInt8(ascii: "{") { return .container }
        guard let first = word.first, first.isLetter else { return nil }
        let isAlone = text[word.endIndex...].drop(while: \.isSpaceOrTab).first?.isLineEnd ?? true
        let names = ["note", "tip", "info", "warning", "danger", "caution", "details", "important"]
        let isKnown = names.contains { word.elementsEqual($0.utf8) }
        let isModule = word.contains(UInt8(ascii: ".")) || word.contains(UInt8(ascii: "_"))
        return isModule && isAlone && !isKnown ? .objectDirective : .container
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

/// Comments, names and addresses.
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

    /// `{{ site.title }}`, `{{ page.date | date }}`.
    private mutating func isTemplateName(at index: Int) -> Bool {
        // '${{ secrets.NAME }}' belongs to GitHub Actions.
        if index > 0, text[index - 1] == UInt8(ascii: "$") { return false }
        var start = index + 2
        if byte(start) == UInt8(ascii: "-") { start += 1 }
        while byte(start).isSpaceOrTab { start += 1 }
        let name = text[min(start, text.count)...]
            .prefix { $0.isLetterOrDigit || "_-.".utf8.contains($0) }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")), isLetter(dot + 1),
            isLetter(start) || dot == start
        else { return false }
        let next = text[name.endIndex...].first { !$0.isSpaceOrTab } ?? 0
        guard "}|[-".utf8.contains(next) || name.last == UInt8(ascii: "-"),
            let end = brace(behind: name.endIndex)
        else { return false }
        return byte(end + 1) == UInt8(ascii: "}")
    }

    /// `](two words.md)`: the space makes it text, unless a title begins behind the space.
    private mutating func isSpacedAddress(at index: Int) -> Bool {
        guard has("](", at: index) else { return false }
        // Up to the next bracket, so that no text is looked at twice.
        var end = index + 2
        var hasSpace = false
        scan: while end < text.count {
            switch text[end] {
            case .newline, .carriageReturn, UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "\""), UInt8(ascii: "'"):
                break scan
            case .space, .tab: hasSpace = true
            default: break
            }
            end += 1
        }
        guard hasSpace, byte(end) == UInt8(ascii: ")") else { return false }
        let address = text[(index + 2)..<end]
        let words = address.split { $0.isSpaceOrTab }
        guard words.count > 1, let last = words.last, !linkEnds.contains(index + 1),
            !linkEnds.contains(end + 1)
        else { return false }
        return !(last.first == UInt8(ascii: "=") && isImageSize(at: last.startIndex))
    }
}
