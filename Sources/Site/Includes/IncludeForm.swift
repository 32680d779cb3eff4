import SourceFolder

/// A place where a text includes files.
struct IncludeForm {
    typealias Target = (path: String, part: IncludedPart)

    let dialect: IncludeDialect
    /// The bytes that are replaced.
    let range: Range<Int>
    /// The files as written; several only in a block of PyMdown's snippets.
    let targets: [Target]
    /// The language of the code block that the file becomes; `nil` if it becomes text.
    let fence: String?

    /// Forms are short: a text of openings alone is read in linear time.
    static let maximumBytes = 1000
    /// The lines of a block with a file each.
    private static let maximumLines = 100

    /// - Parameter lineEnd: the end of the line of `start`.
    init?(_ text: [UInt8], at start: Int, lineEnd: Int) {
        let end = min(lineEnd, start + Self.maximumBytes)
        for dialect in IncludeDialect.all where dialect.opening.utf8.first == text[start] {
            var reader = FormReader(text[start..<end])
            guard Self.takeOpening(&reader, dialect) else { continue }
            let body = reader
            if let (targets, fence) = Self.targets(&reader, dialect) {
                if dialect.isAlone, end < lineEnd || !reader.isAtEnd { continue }
                self.init(dialect, start..<reader.position, targets, fence)
                return
            }
            guard dialect.path == .quoted, body.isAtEnd,
                let (targets, end) = Self.block(text, below: lineEnd, dialect)
            else { continue }
            self.init(dialect, start..<end, targets, nil)
            return
        }
        return nil
    }

    private init(
        _ dialect: IncludeDialect,
        _ range: Range<Int>,
        _ targets: [Target],
        _ fence: String?
    ) {
        self.dialect = dialect
        self.range = range
        self.targets = targets
        self.fence = fence
    }

    private static func takeOpening(_ reader: inout FormReader, _ dialect: IncludeDialect) -> Bool {
        switch dialect.path {
        case .quoted: return Snippet.takeMark(&reader)
        case .note: return reader.take(dialect.opening)
        case .link: return reader.take(dialect.opening) && reader.take(dialect.word)
        case .bare, .braced, .marked:
            guard reader.take(dialect.opening) else { return false }
            reader.skipSpaces()
            let isSeparated = dialect.path != .bare || dialect.word.isEmpty
            return reader.take(dialect.word) && (isSeparated || reader.isAtSpace)
        }
    }

    private static func targets(
        _ reader: inout FormReader,
        _ dialect: IncludeDialect
    ) -> (targets: [Target], fence: String?)? {
        switch dialect.path {
        case .bare:
            reader.skipSpaces()
            let quote = reader.takeQuote()
            guard let words = reader.take(upTo: dialect.closing) else { return nil }
            // What follows the path are settings, such as 'editable'.
            let path =
                quote.map { mark in words.prefix { String($0) != mark } }
                ?? words.prefix { $0 != " " && $0 != "\t" }
            return path.isEmpty ? nil : ([split(path, dialect)], dialect.fence)
        case .braced:
            let words =
                dialect.closing.isEmpty
                ? reader.take { _ in true } : reader.take(upTo: dialect.closing)
            return words.flatMap { braced(trimmed($0[...])[...], isCode: dialect.fence != nil) }
        case .marked:
            // '{!> file !}' of mdx_include.
            if reader.take(">") { reader.skipSpaces() }
            guard let words = reader.take(upTo: dialect.closing) else { return nil }
            let path = trimmed(words[...])
            let lines = reader.take("lines=") ? reader.take { $0 != 0x7D } : ""
            guard isPath(path), reader.take("}") else { return nil }
            let part = IncludedPart.lines(in: lines.replacing(" ", with: ",")[...])
            return ([(path, part ?? .whole)], nil)
        case .quoted:
            guard reader.isAtSpace else { return nil }
            reader.skipSpaces()
            guard let quote = reader.takeQuote(), let path = reader.take(upTo: quote),
                !path.isEmpty
            else { return nil }
            reader.skipSpaces()
            return ([split(path[...], dialect)], nil)
        case .link:
            // '-csharp'.
            let language = dialect.fence.map { _ in
                String(reader.take { $0 != 0x5B && $0 > 0x20 }.drop { $0 == "-" })
            }
            reader.skipSpaces()
            guard reader.take("["), reader.take(upTo: "](") != nil,
                let address = reader.take(upTo: ")")
            else { return nil }
            reader.skipSpaces()
            // A title may stand behind the address.
            guard reader.take(dialect.closing), let path = address.split(separator: " ").first
            else { return nil }
            return ([IncludedPart.split(address: path)], language)
        case .note:
            guard let words = reader.take(upTo: dialect.closing) else { return nil }
            let name = words.prefix { $0 != "|" }
            let parts = name.split(separator: "#", omittingEmptySubsequences: false)
                .map(trimmed)
            // '#^block' names a paragraph.
            guard !name.contains("^"), !words.contains("["), let note = parts.first,
                !note.isEmpty || parts.count > 1
            else { return nil }
            let headings = parts.dropFirst().filter { !$0.isEmpty }
            return ([(note, headings.isEmpty ? .whole : .section(headings))], nil)
        }
    }

    /// The form `file.md#region{1,3}` or, of code, `file.ts#region{1,3 ts:line-numbers}[title]`.
    private static func braced(
        _ words: Substring,
        isCode: Bool
    ) -> (targets: [Target], fence: String?)? {
        var rest = words.prefix { !"#{[ \t".contains($0) }
        let path = String(rest)
        rest = words[rest.endIndex...]
        guard isPath(path), !path.hasPrefix("<") else { return nil }
        var region: String?
        if rest.first == "#" {
            region = rest.dropFirst().prefix { !"{[ \t".contains($0) }.description
            rest = rest.drop { !"{[ \t".contains($0) }
        }
        func take(_ open: Character, _ close: Character) -> String? {
            let text = rest.drop { $0 == " " }
            guard text.first == open, let end = text.lastIndex(of: close) else { return nil }
            rest = text[text.index(after: end)...]
            return String(text[..<end].dropFirst())
        }
        let title = take("[", "]")
        let braces = title == nil ? take("{", "}") : nil
        let behind = isCode ? title ?? take("[", "]") : nil
        guard trimmed(rest).isEmpty else { return nil }
        guard isCode else {
            let written = "\(path):\((braces ?? "").replacing(",", with: ":"))"
            let target = IncludedPart.split(written[...], namesOneLine: true)
            var lines: [ClosedRange<Int>] = []
            if case .lines(let found) = target.part { lines = found }
            return ([region.map { (path, .anchor($0, lines)) } ?? target], nil)
        }
        let name = path.split(separator: "/").last ?? ""
        var language = name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        var settings = (braces ?? "").split(separator: " ").map(String.init)
        let isLines = settings.first?.allSatisfy { $0.isNumber || ",-".contains($0) } == true
        let lines = isLines ? "{\(settings.removeFirst())}" : ""
        if !settings.isEmpty { language = settings.removeFirst() }
        let fence = "\(language)\(lines) [\(behind ?? String(name))]"
        let info = ([fence] + settings).joined(separator: " ")
        return ([(path, region.map { .anchor($0, []) } ?? .whole)], info)
    }

    /// Whether words may be meant as a path: else they are words in marks.
    private static func isPath(_ words: String) -> Bool {
        words.contains { $0 == "." || $0 == "/" } && !words.contains { "!$<>\"'`{}()".contains($0) }
    }

    private static func split(_ written: Substring, _ dialect: IncludeDialect) -> Target {
        IncludedPart.split(written, namesOneLine: dialect.namesOneLine)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    /// Lines with a file each, down to the next line with PyMdown's mark alone.
    private static func block(
        _ text: [UInt8],
        below lineEnd: Int,
        _ dialect: IncludeDialect
    ) -> (targets: [Target], end: Int)? {
        var targets: [Target] = []
        var next = lineEnd + 1
        for _ in 0..<maximumLines {
            guard let line = TextLine(text.span, at: next), line.range.count <= maximumBytes
            else { return nil }
            next = line.next
            var reader = FormReader(text[line.range])
            reader.skipSpaces()
            let words = String(decoding: reader.rest, as: UTF8.self)
            if Snippet.takeMark(&reader) {
                let isEnd = reader.isAtEnd && !targets.isEmpty
                return isEnd ? (targets, line.range.upperBound) : nil
            }
            // A line that begins with a semicolon is left out.
            if !words.isEmpty, !words.hasPrefix(";") {
                targets.append(split(trimmed(words[...])[...], dialect))
            }
        }
        return nil
    }
}

/// PyMdown's mark, a pair of scissors.
enum Snippet {
    static let dash = UInt8(ascii: "-")

    /// Takes `--8<--`, with any number of dashes.
    static func takeMark(_ reader: inout FormReader) -> Bool {
        guard reader.rest.first == dash else { return false }
        reader.skip(dash)
        guard reader.take("8<-") else { return false }
        reader.skip(dash)
        return true
    }
}
