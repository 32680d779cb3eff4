/// Reads the text of a Mustache template.
///
/// A line with nothing but one tag, except one that shows a value, leaves no empty line behind.
struct MustacheParser {
    /// What surrounds a part of the text.
    private struct Scope {
        /// The name of the section that must be closed; `nil` for the whole text.
        var section: String?
        var isLineStart = true
        /// Whether this is `{{<layout}}…{{/layout}}`, which contains nothing but blocks.
        var isInheritance = false
        /// Whether this is in a block for another template; the white space before its first line
        /// is removed from all its lines.
        var isBlock = false
        var blockIndentation: Int?
        var depth = 0

        func inside(_ section: String, isLineStart: Bool) -> Scope {
            var scope = self
            scope.section = section
            scope.isInheritance = false
            scope.depth += 1
            scope.isBlock = isBlock || isInheritance
            if !isLineStart { scope.isLineStart = false }
            return scope
        }
    }

    private let text: [UInt8]
    /// The HTML of a text in the site's language, by its English words; `nil` where a section
    /// `text` is like any other.
    private let translate: ((String) -> String)?
    private var position = 0
    private var open = Array("{{".utf8)
    private var close = Array("}}".utf8)

    /// - Parameter translate: gives the HTML in place of `{{#text}}English words{{/text}}`; values
    ///   in it stand between `{{` and `}}`.
    static func template(
        _ text: [UInt8],
        translate: ((String) -> String)? = nil
    ) throws(MustacheError) -> MustacheTemplate {
        var parser = MustacheParser(text, translate)
        return try parser.part(Scope())
    }

    private init(_ text: [UInt8], _ translate: ((String) -> String)?) {
        self.text = text
        self.translate = translate
    }

    /// The tags of a text in the site's language; the position is behind `{{#text}}`.
    private mutating func translated(
        _ translate: (String) -> String
    ) throws(MustacheError) -> MustacheTemplate {
        let start = position
        let end = Array("{{/text}}".utf8)
        while !text[position...].starts(with: end) {
            if isAtEnd { throw error(.openSection, at: start) }
            position += 1
        }
        let english = String(decoding: text[start..<position], as: UTF8.self)
        position += end.count
        return try Self.template(Array(translate(english).utf8))
    }

    private var isAtEnd: Bool { position == text.count }

    private mutating func part(_ scope: Scope) throws(MustacheError) -> MustacheTemplate {
        guard scope.depth <= MustacheRenderer.Limit.depth else {
            let message = "sections are nested deeper than \(MustacheRenderer.Limit.depth)"
            throw error(.other(message), at: position)
        }
        var scope = scope
        var template = MustacheTemplate()
        /// White space at the start of the line, until it is known whether a tag stands alone.
        var space: [UInt8] = []
        /// The delimiters at the end of a section are those before it.
        let delimiters = (open, close)
        while !isAtEnd {
            if scope.isLineStart { space = lineStart(&scope, space) }
            let (words, isLineEnd) = wordsBeforeTag()
            if isLineEnd || !words.isEmpty {
                template.tags.append(.text(space + words))
                space = []
                scope.isLineStart = isLineEnd
            }
            if isLineEnd { continue }
            if isAtEnd { break }
            let kind = text[position]
            if "#^/!><$=".utf8.contains(kind) || kind == UInt8(ascii: "{")
                || kind == UInt8(ascii: "&")
            {
                position += 1
            }
            switch kind {
            case UInt8(ascii: "#"), UInt8(ascii: "^"):
                let name = try name()
                if name == "text", kind == UInt8(ascii: "#"), let translate {
                    template.add(&space)
                    template.tags += try translated(translate).tags
                    scope.isLineStart = false
                    continue
                }
                let standsAlone = standsAlone(scope)
                if !standsAlone { template.add(&space) }
                let inside = try part(scope.inside(name, isLineStart: standsAlone))
                template.tags.append(
                    .section(.init(name), isInverted: kind == UInt8(ascii: "^"), inside)
                )
                scope.isLineStart = standsAlone
            case UInt8(ascii: "/"):
                let start = position
                guard try name() == scope.section else { throw error(.wrongClose, at: start) }
                if !standsAlone(scope) { template.add(&space) }
                (open, close) = delimiters
                return template
            case UInt8(ascii: "!"):
                try skip(past: close)
                scope.isLineStart = standsAlone(scope)
            case UInt8(ascii: ">"), UInt8(ascii: "<"):
                let name = try name()
                let indentation = space
                template.add(&space)
                let standsAlone = standsAlone(scope)
                let isInheritance = kind == UInt8(ascii: "<")
                var blocks: [String: MustacheTemplate] = [:]
                if isInheritance {
                    var inside = scope
                    (inside.section, inside.isLineStart, inside.isInheritance) = (name, true, true)
                    inside.depth += 1
                    blocks = try self.blocks(inside)
                }
                template.tags.append(
                    .template(
                        name.hasPrefix("*")
                            ? .value(.init(String(name.dropFirst()))) : .fixed(name),
                        indentation: standsAlone || isInheritance ? indentation : [],
                        blocks: blocks
                    )
                )
                scope.isLineStart = standsAlone
            case UInt8(ascii: "$"):
                let name = try name()
                let indentation = space
                if !scope.isInheritance { template.add(&space) }
                let standsAlone = standsAlone(scope)
                let inside = try part(scope.inside(name, isLineStart: standsAlone))
                template.tags.append(
                    .block(name, indentation: scope.isInheritance ? [] : indentation, inside)
                )
                space = []
                scope.isLineStart = standsAlone
            case UInt8(ascii: "="):
                try changeDelimiters()
                scope.isLineStart = standsAlone(scope)
            default:
                template.add(&space)
                let isEscaped = kind != UInt8(ascii: "{") && kind != UInt8(ascii: "&")
                let name = try name(kind == UInt8(ascii: "{") ? Array("}".utf8) + close : close)
                template.tags.append(.value(.init(name), isEscaped: isEscaped))
                scope.isLineStart = false
            }
        }
        if scope.section != nil { throw error(.openSection, at: position) }
        return template
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
                throw error(.other(message), at: position)
            }
        }
        return blocks
    }

    /// The white space before the first tag of a line.
    private mutating func lineStart(_ scope: inout Scope, _ before: [UInt8]) -> [UInt8] {
        let start = position
        while !isAtEnd, text[position] == UInt8(ascii: " ") || text[position] == UInt8(ascii: "\t")
        {
            position += 1
        }
        let space = text[start..<position]
        guard scope.isBlock, !scope.isInheritance else { return Array(space) }
        guard let indentation = scope.blockIndentation else {
            scope.blockIndentation = space.count
            return before
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
                position += open.count
                return (Array(words), false)
            }
            position += 1
        }
        return (Array(text[start...]), false)
    }

    /// Whether nothing else is in the line of the tag that ends here; if so, skips its end.
    private mutating func standsAlone(_ scope: Scope) -> Bool {
        guard scope.isLineStart else { return false }
        if isAtEnd { return true }
        var rest = text[position...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if rest.starts(with: "\r\n".utf8) { rest.removeFirst() }
        guard rest.first == UInt8(ascii: "\n") else { return false }
        position = rest.startIndex + 1
        return true
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
            if text.count - position < end.count { throw error(.openTag, at: position) }
            let isFunction = text[position] == UInt8(ascii: "(")
            let message = "functions such as '\(name)(…)' are not part of Mustache"
            throw error(isFunction ? .other(message) : .unfinishedTag, at: position)
        }
        position += end.count
        return name
    }

    private mutating func skipSpace() {
        while !isAtEnd, Self.isSpace(text[position]) { position += 1 }
    }

    private mutating func skip(past end: [UInt8]) throws(MustacheError) {
        while !text[position...].starts(with: end) {
            if isAtEnd { throw error(.openTag, at: position) }
            position += 1
        }
        position += end.count
    }

    /// Reads the rest of `{{=<% %>=}}`.
    private mutating func changeDelimiters() throws(MustacheError) {
        let start = position
        try skip(past: [UInt8(ascii: "=")] + close)
        let words = text[start..<position - close.count - 1].split(whereSeparator: Self.isSpace)
        guard words.count == 2 else {
            throw error(.other("'{{=' must be followed by two delimiters and '=}}'"), at: start)
        }
        (open, close) = (Array(words[0]), Array(words[1]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: ".-_?*/".utf8.contains(byte)
        }
    }

    private func error(_ problem: MustacheError.Problem, at place: Int) -> MustacheError {
        let before = text[..<place]
        let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        return MustacheError(
            problem: problem,
            line: 1 + before.count { $0 == 10 },
            column: 1 + place - lineStart
        )
    }
}

extension MustacheTemplate {
    /// Adds the white space before a tag that does not stand alone.
    fileprivate mutating func add(_ space: inout [UInt8]) {
        if !space.isEmpty { tags.append(.text(space)) }
        space = []
    }
}
