import Bytes

/// Reads the text of a Mustache template.
///
/// A line with nothing but one tag, except one that shows a value, leaves no empty line behind.
struct MustacheParser {
    /// What surrounds a part of the text.
    private struct Scope {
        /// The name of the section that must be closed; `nil` for the whole text.
        var section: String?
        /// Whether this is `{{<layout}}…{{/layout}}`, which contains nothing but blocks.
        var isInheritance = false
        /// Whether this is in a block for another template; the white space before its first line
        /// is removed from all its lines.
        var isBlock = false
        /// Whether it is such a block itself.
        var isReplacement = false
        var blockIndentation: Int?
        var depth = 0

        func inside(_ section: String, isInheritance: Bool = false) -> Scope {
            var scope = self
            scope.section = section
            scope.isInheritance = isInheritance
            scope.depth += 1
            scope.isBlock = isBlock || self.isInheritance
            scope.isReplacement = self.isInheritance
            return scope
        }
    }

    private let text: [UInt8]
    private let numbers: [String: Int]
    /// The HTML of a text in the site's language, by its English words; `nil` where a section
    /// `text` is like any other.
    private let translate: ((String) -> String)?
    private var position = 0
    /// Where the last tag begins.
    private var tagStart = 0
    private var inclusions: [MustacheTemplate.Inclusion] = []
    /// Whether only white space, and tags that leave nothing, are before the position in its line.
    private var isLineStart = true
    private var open = Array("{{".utf8)
    private var close = Array("}}".utf8)

    /// - Parameters:
    ///   - numbers: those of names that the renderer finds by number and not by name.
    ///   - translate: gives the HTML in place of `{{#text}}English words{{/text}}`; values in it
    ///     stand between `{{` and `}}`.
    static func template(
        _ text: [UInt8],
        numbers: [String: Int] = [:],
        translate: ((String) -> String)? = nil
    ) throws(MustacheError) -> MustacheTemplate {
        var parser = MustacheParser(text, numbers, translate)
        var template = try parser.part(Scope())
        template.inclusions = parser.inclusions
        return template
    }

    private init(
        _ text: [UInt8],
        _ numbers: [String: Int],
        _ translate: ((String) -> String)?
    ) {
        self.text = text
        self.numbers = numbers
        self.translate = translate
    }

    /// The tags of a text in the site's language; the position is behind `{{#text}}`.
    private mutating func translated(
        _ translate: (String) -> String
    ) throws(MustacheError) -> MustacheTemplate {
        let start = position
        let end = Array("{{/text}}".utf8)
        while !text[position...].starts(with: end) {
            if isAtEnd { throw error(Self.openSection, at: start) }
            position += 1
        }
        let english = String(decoding: text[start..<position], as: UTF8.self)
        position += end.count
        return try Self.template(Array(translate(english).utf8), numbers: numbers)
    }

    private var isAtEnd: Bool { position == text.count }

    private mutating func part(_ scope: Scope) throws(MustacheError) -> MustacheTemplate {
        guard scope.depth <= MustacheScope.maximumDepth else {
            let message = "sections are nested deeper than \(MustacheScope.maximumDepth)"
            throw error(message, at: position)
        }
        var scope = scope
        var template = MustacheTemplate()
        /// White space at the start of the line, until it is known whether a tag stands alone.
        var space: [UInt8]?
        /// The delimiters at the end of a section are those before it.
        let delimiters = (open, close)
        while !isAtEnd {
            if isLineStart { space = lineStart(&scope) }
            let (words, isLineEnd) = wordsBeforeTag()
            if isLineEnd || !words.isEmpty {
                template.append(space, words)
                space = nil
                isLineStart = isLineEnd
            }
            if isLineEnd { continue }
            if isAtEnd { break }
            let kind = text[position]
            if "#^/!><$={&".utf8.contains(kind) { position += 1 }
            switch kind {
            case UInt8(ascii: "!"):
                try skip(past: close)
                _ = standsAlone()
                continue
            case UInt8(ascii: "="):
                try changeDelimiters()
                _ = standsAlone()
                continue
            case UInt8(ascii: "#"), UInt8(ascii: "^"):
                let name = try name()
                if name == "text", kind == UInt8(ascii: "#"), let translate {
                    template.append(space)
                    template.tags += try translated(translate).tags
                    isLineStart = false
                } else {
                    if !standsAlone() { template.append(space) }
                    let section = try part(scope.inside(name))
                    let isInverted = kind == UInt8(ascii: "^")
                    template.tags.append(.section(path(name), isInverted: isInverted, section))
                }
            case UInt8(ascii: "/"):
                let start = position
                let name = try name()
                guard let section = scope.section else {
                    throw error("'{{/\(name)}}' closes a section that is not open", at: tagStart)
                }
                guard name == section else {
                    let message = "this tag closes another section than the open one"
                    throw error(message, at: start)
                }
                // What is before the end of a replacement is no line of it.
                if !standsAlone(), !scope.isReplacement { template.append(space) }
                (open, close) = delimiters
                return template
            case UInt8(ascii: ">"):
                let name = included(try name())
                let isAlone = standsAlone()
                if !isAlone { template.append(space) }
                let indentation = isAlone ? space : nil
                template.tags.append(.template(name, indentation: indentation, blocks: [:]))
            case UInt8(ascii: "<"):
                let text = try name()
                // Its blocks may follow in the same line.
                isLineStart = standsAlone() || space != nil
                let name = included(text)
                let blocks = try blocks(scope.inside(text, isInheritance: true))
                template.tags.append(.template(name, indentation: space, blocks: blocks))
            case UInt8(ascii: "$"):
                let name = try name()
                let isAlone = standsAlone()
                let inside = try part(scope.inside(name))
                var block = MustacheTemplate()
                if !isAlone { block.append(scope.isInheritance ? [] : space) }
                block.tags += inside.tags
                if scope.isInheritance { isLineStart = isLineStart || isAlone }
                let indentation = isAlone ? block.leadingSpace ?? space : space
                template.tags.append(.block(name, indentation: indentation, block))
            default:
                template.append(space)
                let isEscaped = kind != UInt8(ascii: "{") && kind != UInt8(ascii: "&")
                let name = try name(kind == UInt8(ascii: "{") ? Array("}".utf8) + close : close)
                template.tags.append(.value(path(name), isEscaped: isEscaped))
                isLineStart = false
            }
            space = nil
        }
        if scope.section != nil { throw error(Self.openSection, at: position) }
        return template
    }

    private func path(_ text: String) -> MustacheTemplate.Path {
        MustacheTemplate.Path(text, numbers)
    }

    /// The template that a tag names; the position is behind the tag.
    private mutating func included(_ text: String) -> MustacheTemplate.Name {
        if text.hasPrefix("*") { return .value(path(String(text.dropFirst()))) }
        let (line, column) = place(tagStart)
        inclusions.append(MustacheTemplate.Inclusion(name: text, line: line, column: column))
        return .fixed(text)
    }

    /// The blocks in `{{<layout}}…{{/layout}}`; text between them is a comment.
    private mutating func blocks(
        _ scope: Scope
    ) throws(MustacheError) -> [String: MustacheTemplate] {
        var blocks: [String: MustacheTemplate] = [:]
        for tag in try part(scope).tags {
            switch tag {
            case .block(let name, _, let template): blocks[name] = template
            case .text: break
            default:
                let message = "only '{{$…}}' may stand in '{{<\(scope.section ?? "")}}'"
                throw error(message, at: position)
            }
        }
        return blocks
    }

    /// The white space before the first tag of a line.
    private mutating func lineStart(_ scope: inout Scope) -> [UInt8] {
        let start = position
        while !isAtEnd, text[position].isSpaceOrTab { position += 1 }
        let space = text[start..<position]
        guard scope.isBlock, !scope.isInheritance else { return Array(space) }
        guard let indentation = scope.blockIndentation else {
            scope.blockIndentation = space.count
            return []
        }
        return Array(space.dropFirst(indentation))
    }

    /// The text up to the next tag, or to the end of the line with its line feed.
    private mutating func wordsBeforeTag() -> (words: [UInt8], isLineEnd: Bool) {
        let start = position
        while !isAtEnd {
            if text[position] == UInt8(ascii: "\n") {
                position += 1
                return (Array(text[start..<position]), true)
            }
            if text[position] == open[0], text[position...].starts(with: open) {
                let words = text[start..<position]
                tagStart = position
                position += open.count
                return (Array(words), false)
            }
            position += 1
        }
        return (Array(text[start...]), false)
    }

    /// Whether nothing else is in the line of the tag that ends here; if so, skips its end.
    private mutating func standsAlone() -> Bool {
        guard isLineStart, !isAtEnd else { return isLineStart }
        var rest = text[position...].drop(while: \.isSpaceOrTab)
        if rest.starts(with: "\r\n".utf8) { rest.removeFirst() }
        isLineStart = rest.first == UInt8(ascii: "\n")
        if isLineStart { position = rest.startIndex + 1 }
        return isLineStart
    }

    private mutating func name() throws(MustacheError) -> String { try name(close) }

    /// The name in a tag, with white space around it, and the end of the tag.
    private mutating func name(_ end: [UInt8]) throws(MustacheError) -> String {
        skipSpace()
        let first = position
        while !isAtEnd, Self.isName(text[position]) { position += 1 }
        let name = String(decoding: text[first..<position], as: UTF8.self)
        skipSpace()
        guard text[position...].starts(with: end) else {
            if text.count - position < end.count { throw error(Self.openTag, at: tagStart) }
            let isFunction = text[position] == UInt8(ascii: "(")
            let message = "functions such as '\(name)(…)' are not part of Mustache"
            throw error(isFunction ? message : Self.openTag, at: position)
        }
        position += end.count
        return name
    }

    private mutating func skipSpace() {
        while !isAtEnd, text[position].isWhitespace { position += 1 }
    }

    private mutating func skip(past end: [UInt8]) throws(MustacheError) {
        while !text[position...].starts(with: end) {
            if isAtEnd { throw error(Self.openTag, at: tagStart) }
            position += 1
        }
        position += end.count
    }

    /// Reads the rest of `{{=<% %>=}}`.
    private mutating func changeDelimiters() throws(MustacheError) {
        let start = position
        try skip(past: [UInt8(ascii: "=")] + close)
        let words = text[start..<position - close.count - 1].split(whereSeparator: \.isWhitespace)
        guard words.count == 2 else {
            throw error("'{{=' must be followed by two delimiters and '=}}'", at: start)
        }
        (open, close) = (Array(words[0]), Array(words[1]))
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || ".-_?*/".utf8.contains(byte)
    }

    private static let openTag = "a tag is not closed with '}}'"
    private static let openSection = "a section is not closed"

    private func error(_ message: String, at position: Int) -> MustacheError {
        let (line, column) = place(position)
        return MustacheError(message: message, line: line, column: column)
    }

    private func place(_ position: Int) -> (line: Int, column: Int) {
        let before = text[..<position]
        let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        return (1 + before.count { $0 == 10 }, 1 + position - lineStart)
    }
}

extension MustacheTemplate {
    /// The white space before the first line, if the template begins with text.
    fileprivate var leadingSpace: [UInt8]? {
        guard case .text(let text, _)? = tags.first else { return nil }
        return Array(text.prefix(while: \.isSpaceOrTab))
    }

    /// - Parameter space: the white space before the words at the start of a line.
    fileprivate mutating func append(_ space: [UInt8]?, _ words: [UInt8] = []) {
        if space == nil, words.isEmpty { return }
        tags.append(.text((space ?? []) + words, startsLine: space != nil))
    }
}
