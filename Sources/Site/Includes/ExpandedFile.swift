import Bytes
import Markdown

/// A file while its text is gone through, from form to form.
struct ExpandedFile {
    /// A part of a file that is included.
    struct Step: Equatable {
        let path: String
        let part: IncludedPart
    }

    let file: IncludableText
    /// In the map of the whole text.
    let origin: Int
    /// What stands before each of its lines.
    let prefix: [UInt8]
    /// The files above it, and itself.
    let steps: [Step]
    /// Whether the form that includes the file stands in code.
    private let isCode: Bool

    private var position = 0
    private var line = 1
    private var lineStart = 0
    /// The end of the line of the current position, without its line end.
    private(set) var lineEnd = -1
    /// Made for the first form.
    private lazy var outline = TextOutline(file.text)
    private var spans: (line: Int, found: [Range<Int>])?

    init(_ file: IncludableText, origin: Int, prefix: [UInt8], steps: [Step], isCode: Bool) {
        self.file = file
        self.origin = origin
        self.prefix = prefix
        self.steps = steps
        self.isCode = isCode
        line += file.linesBefore
    }

    /// Goes forward to a byte.
    mutating func go(to place: Int) {
        // A line may be a megabyte long, so its end is looked for once.
        if lineEnd < 0 { lineEnd = file.text.span.position(of: 10) }
        while lineEnd < place {
            (line, lineStart) = (line + 1, lineEnd + 1)
            lineEnd = file.text.span.position(of: 10, from: lineStart)
        }
        position = place
    }

    /// The current position in the file.
    var place: SourceMap.Place { SourceMap.Place(line: line, column: position - lineStart + 1) }

    private var codeLanguage: String? {
        mutating get { outline.codeLanguage(ofLine: line - file.linesBefore) }
    }

    var isInCode: Bool { mutating get { isCode || codeLanguage != nil } }

    /// Whether the current line is code that may show a form to its readers.
    var isInDocumentCode: Bool {
        mutating get { codeLanguage.map(Self.documentLanguages.contains) ?? false }
    }

    private static let documentLanguages: Set<String> = [
        "markdown", "md", "mdx", "rmd", "qmd", "handlebars", "hbs", "mustache", "jinja", "liquid",
    ]

    var lineBefore: ArraySlice<UInt8> { file.text[lineStart..<position] }

    /// Whether the current position is between backticks.
    mutating func isInSpan() -> Bool {
        if spans?.line != line {
            spans = (line, CodeSpans.find(in: file.text[lineStart..<lineEnd]))
        }
        let found = spans?.found ?? []
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if found[middle].upperBound <= position { low = middle + 1 } else { high = middle }
        }
        return low < found.count && found[low].contains(position)
    }

    /// What further lines begin with where this line has quotes, an indentation or an item.
    ///
    /// - Returns: also whether nothing else stands before the position.
    mutating func container() -> (prefix: [UInt8], isAlone: Bool) {
        var prefix: [UInt8] = []
        var rest = lineBefore
        while let byte = rest.first, prefix.count < 200 {
            if byte.isSpaceOrTab || byte == UInt8(ascii: ">") {
                prefix.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let text = isInCode ? rest.startIndex : Self.listMarker(rest)
            if text == rest.startIndex { break }
            prefix += Array(repeating: 0x20, count: text - rest.startIndex)
            rest = rest[text...]
        }
        return (prefix, rest.isEmpty)
    }

    /// Where the text behind `- ` or `1. ` begins.
    private static func listMarker(_ line: ArraySlice<UInt8>) -> Int {
        var rest = line
        let digits = rest.prefix(while: \.isDigit).prefix(10)
        rest = rest[digits.endIndex...]
        let marks = digits.isEmpty ? "-*+" : ".)"
        guard let mark = rest.first, marks.utf8.contains(mark), let space = rest.dropFirst().first,
            space.isSpaceOrTab
        else { return line.startIndex }
        return rest.dropFirst().drop(while: \.isSpaceOrTab).startIndex
    }
}
