/// A document as HTML, with placeholders where links and images point, and around code.
///
/// Links can be resolved only when all pages are known. With placeholders, a page is rendered before
/// that, and its tree is freed at once.
public struct RenderedDocument: Sendable {
    public struct Reference: Sendable {
        public enum Kind: Sendable {
            case link, image
            /// `[[Page]]`: the destination is a page's name.
            case wikiLink
            /// The text of the link before it, for which the title of the page may stand.
            case title
            /// An address in raw HTML that a reader may follow.
            case htmlLink
            /// An address in raw HTML that a browser loads by itself.
            case htmlSource
            /// The HTML of a whole document, in `srcdoc`.
            case htmlDocument
        }

        public let kind: Kind
        /// As the author wrote it, entities and escapes resolved.
        public let destination: String
        public let range: SourceRange
        /// Where the URL goes in ``html``.
        public internal(set) var offset: Int
        /// How many bytes it replaces there.
        let length: Int
    }

    public struct Heading: Sendable {
        public let level: Int
        public let id: String
        /// Without markup, not escaped.
        public let text: String
    }

    /// A block of code whose language is named, or a formula.
    public struct CodeBlock: Sendable {
        /// What ``CodeLanguage`` reads out of the block's info string, or that of a drawing: see
        /// ``DrawnLanguage/codeBlock``.
        public let language: String
        /// Where the code of a drawing begins in the document.
        public var source = SourceRange(line: 1, column: 1)
        /// Where the code is in ``html``, escaped.
        public internal(set) var range: Range<Int>
    }

    public internal(set) var html: [UInt8] = []
    public internal(set) var references: [Reference] = []
    public internal(set) var codeBlocks: [CodeBlock] = []
    public internal(set) var headings: [Heading] = []
    /// Whether one of ``headings`` is of level 1; a search for each heading would be quadratic.
    var hasTopHeading = false
    /// Probable mistakes of the author, in the order of the text.
    public internal(set) var diagnostics: [MarkdownDiagnostic] = []

    /// Ids and names in raw HTML that goes through; links may lead there.
    public internal(set) var anchors: [String] = []
    /// Ids and names in HTML that was left out; they explain dead links.
    public internal(set) var droppedAnchors: [String] = []
    /// Syntax of other tools, each kind once.
    public internal(set) var foreignUses: [ForeignUse] = []
    /// Whether nothing but comments stands before the first heading.
    public internal(set) var opensWithHeading = false
    /// The first sentences, without markup, not escaped; empty without any, and where nobody wants them.
    public internal(set) var opening = ""
    /// The names of `r[name]` markers.
    public internal(set) var markers: [String] = []

    /// Parses and renders a document; every text is valid Markdown.
    ///
    /// - Throws: where the document would take more time or space than the limits allow.
    public init(_ markdown: [UInt8], _ options: MarkdownOptions) throws(RenderLimitError) {
        let source = SourceText(markdown)
        self = try HTMLRenderer(BlockParser.parse(source, options), options).rendered()
        let count = html.count + references.reduce(0) { $0 + $1.destination.utf8.count }
        try RenderLimitError.check(html: count, from: source.bytes.count)
    }

    public init() {}

    /// The HTML with one URL in each placeholder, in the order of ``references``.
    ///
    /// - Parameters:
    ///   - urls: escaped for an attribute.
    ///   - code: HTML that replaces the code, in the order of ``codeBlocks``; a block without an
    ///     entry, or with `nil`, stays as it is.
    public func filled(with urls: [String], code: [[UInt8]?] = []) -> [UInt8] {
        var filled: [UInt8] = []
        let added = urls.reduce(0) { $0 + $1.utf8.count } + code.reduce(0) { $0 + ($1?.count ?? 0) }
        filled.reserveCapacity(html.count + added)
        append(to: &filled, urls: urls, code: code)
        return filled
    }

    /// Appends what ``filled(with:code:)`` returns.
    public func append(to page: inout [UInt8], urls: [String], code: [[UInt8]?] = []) {
        var start = 0
        var blocks = zip(codeBlocks, code).makeIterator()
        var block = blocks.next()
        func fillCode(before offset: Int) {
            while let (placeholder, content) = block, placeholder.range.lowerBound < offset {
                if let content {
                    page += html[start..<placeholder.range.lowerBound]
                    page += content
                    start = placeholder.range.upperBound
                }
                block = blocks.next()
            }
        }
        for (reference, url) in zip(references, urls) {
            fillCode(before: reference.offset)
            page += html[start..<reference.offset]
            page += url.utf8
            start = reference.offset + reference.length
        }
        fillCode(before: html.count)
        page += html[start...]
    }

    /// Inserts the same bytes at several offsets, in order, and moves the placeholders behind them.
    mutating func insert(_ bytes: [UInt8], at offsets: [Int]) {
        var filled: [UInt8] = []
        filled.reserveCapacity(html.count + bytes.count * offsets.count)
        var start = 0
        for offset in offsets {
            filled += html[start..<offset]
            filled += bytes
            start = offset
        }
        filled += html[start...]
        html = filled
        var passed = 0
        for index in references.indices {
            while passed < offsets.count, offsets[passed] < references[index].offset { passed += 1 }
            references[index].offset += passed * bytes.count
        }
        passed = 0
        for index in codeBlocks.indices {
            let start = codeBlocks[index].range.lowerBound
            while passed < offsets.count, offsets[passed] < start { passed += 1 }
            codeBlocks[index].move(by: passed * bytes.count)
        }
    }

    /// Inserts bytes, and moves the placeholders behind them.
    mutating func insert(_ bytes: some Collection<UInt8>, at offset: Int) {
        html.insert(contentsOf: bytes, at: offset)
        for index in references.indices.reversed() {
            guard references[index].offset > offset else { break }
            references[index].offset += bytes.count
        }
        for index in codeBlocks.indices.reversed() {
            guard codeBlocks[index].range.lowerBound > offset else { break }
            codeBlocks[index].move(by: bytes.count)
        }
    }

    mutating func note(
        _ construct: ForeignConstruct,
        line: Int,
        column: Int
    ) {
        let location = SourceRange(line: line, column: column)
        guard let index = foreignUses.firstIndex(where: { $0.construct == construct }) else {
            foreignUses.append(ForeignUse(construct, at: location))
            return
        }
        foreignUses[index].count += 1
        if foreignUses[index].occurrences.count < ForeignUse.maximumOccurrences {
            foreignUses[index].occurrences.append(location)
        }
    }

    /// Footnotes are rendered when they are referred to, so that places come in another order.
    mutating func sortForeignUses() {
        for index in foreignUses.indices {
            foreignUses[index].occurrences.sort { ($0.line, $0.column) < ($1.line, $1.column) }
        }
    }

    /// Appends a part that was rendered separately.
    mutating func append(_ other: RenderedDocument) {
        let offset = html.count
        html += other.html
        references += other.references.map { reference in
            var moved = reference
            moved.offset += offset
            return moved
        }
        codeBlocks += other.codeBlocks.map { block in
            var moved = block
            moved.move(by: offset)
            return moved
        }
        headings += other.headings
        diagnostics += other.diagnostics
    }
}

extension RenderedDocument.CodeBlock {
    fileprivate mutating func move(by count: Int) {
        range = range.lowerBound + count..<range.upperBound + count
    }
}
