import Bytes
import HTML

/// Parses the inline content of one leaf block, as GitHub Flavored Markdown has it.
///
/// The method is the one that the specification describes ("An algorithm for parsing nested emphasis
/// and links").
struct InlineParser: ~Copyable {
    struct Delimiter {
        let byte: UInt8
        let canOpen: Bool
        let canClose: Bool
        let node: Int
        /// The length of the whole run.
        let length: Int
        /// After the run.
        let position: Int
        /// How many characters are not used up.
        var left: Int
        var previous = -1
        var next = -1
        /// An earlier run of the same character; every one between the two has been removed.
        var previousOfKind = -1
        var isRemoved = false

        static let slots = 6

        /// The number of its character.
        var slot: Int {
            switch byte {
            case UInt8(ascii: "*"): 0
            case UInt8(ascii: "_"): 1
            case UInt8(ascii: "~"): 2
            case UInt8(ascii: "'"): 3
            case UInt8(ascii: "="): 4
            default: 5
            }
        }
    }

    struct Bracket {
        let node: Int
        /// After the bracket.
        let position: Int
        let isImage: Bool
        let isNote: Bool
        var hasBracketAfter = false
        let isInLink: Bool
        let isInImage: Bool
    }

    let options: MarkdownOptions
    let labels: LinkLabels
    /// Whether there are extensions of CommonMark.
    let isExtended: Bool
    /// The leaf's text, without white space at its end.
    private(set) var input: [UInt8] = []
    /// Texts of nodes that do not stand in the input; their positions follow on those of the input.
    var others: [UInt8] = []
    /// Of links and images, in the order in which they were found.
    var addresses: [(destination: String, title: String)] = []
    /// By the indices of ``addresses``.
    var looks: [Int: ImageLook] = [:]
    var position = 0
    var tree = InlineTree()
    var delimiters: [Delimiter] = []
    var lastDelimiter = -1
    /// The last run of each ``Delimiter/slot`` that may open; it may have been removed since.
    var lastOpeners = Array(repeating: -1, count: Delimiter.slots)
    /// For ``pairDelimiters(from:)``.
    var bottoms = Array(repeating: 0, count: 6 * Delimiter.slots)
    var brackets: [Bracket] = []
    /// How many brackets stand before a link and so begin none: links hold no links.
    var bracketsBeforeLink = 0
    /// Whether the input has an at sign in a text; what stands for one may be in ``others``.
    var hasAtSign = false
    /// Where runs of so many backticks begin, as far as known.
    var backticks: [Int: Int] = [:]
    var hasScannedBackticks = false
    /// Ends that are known to be missing: a search from each start would be quadratic.
    var missingEnds: Set<String> = []
    /// Where tags of other tools stand in addresses, in the order in which they were found.
    var templateAddresses: [Range<Int>] = []
    /// Where marks stand that begin or end nothing although they look like it: `**`, `](`, `<Name`.
    var leftovers: Set<Int> = []
    /// The id of the whole text, `^abc` at its end, as Obsidian writes it.
    private(set) var blockID: String?
    /// The codes of emoji that became characters, such as `rocket`, in their order.
    var emoji: [(character: String, name: String)] = []
    /// By the byte that ends a title: the last escaped one, where no other is left.
    var escapedTitleEnds: [UInt8: Int] = [:]

    init(_ options: MarkdownOptions, _ labels: LinkLabels) {
        self.options = options
        self.labels = labels
        isExtended = !options.commonMarkOnly
    }

    /// Parses a text; ``tree`` and what belongs to it stay until the next one.
    mutating func parse(_ text: [UInt8]) {
        clear()
        input = text
        while let last = input.last, last.isWhitespace { input.removeLast() }
        if options.wikiLinks { takeBlockID() }
        while position < input.count { parseNext() }
        pairDelimiters(from: 0)
        if !delimiters.isEmpty { findLooseStars() }
        joinTexts()
        if isExtended { linkAddresses() }
    }

    /// Takes `^abc` off the end of the text; a short one may be a power.
    private mutating func takeBlockID() {
        guard let last = input.last, last.isLetterOrDigit,
            let mark = input.lastIndex(where: { !$0.isLetterOrDigit && $0 != UInt8(ascii: "-") }),
            input[mark] == UInt8(ascii: "^"), (5...100).contains(input.count - mark),
            mark == 0 || input[mark - 1].isWhitespace || input[mark - 1] == UInt8(ascii: "]")
        else { return }
        blockID = String(decoding: input[mark...], as: UTF8.self)
        input.removeSubrange(mark...)
        while let last = input.last, last.isWhitespace { input.removeLast() }
    }

    /// Whether nothing but text can be in a text, for the parser and for ``ForeignConstructFinder``:
    /// a quick check for words, as in the cells of a table.
    static func isPlain(_ text: [UInt8]) -> Bool {
        // Sentences end with more than words, and 'import' and 'export' belong to another tool.
        let first = text.first
        if text.count > (first == UInt8(ascii: "e") || first == UInt8(ascii: "i") ? 6 : 64) {
            return false
        }
        let span = text.span
        var last: UInt8 = 0
        for index in span.indices {
            let byte = span[index]
            guard byte.isLetterOrDigit || byte == .space || byte == UInt8(ascii: ",") else {
                return false
            }
            if byte == UInt8(ascii: "w"), last == byte { return false }
            last = byte
        }
        return last != .space
    }

    /// Keeps the memory: a page has a hundred leaves.
    private mutating func clear() {
        position = 0
        tree.clear()
        lastDelimiter = -1
        hasAtSign = false
        hasScannedBackticks = false
        bracketsBeforeLink = 0
        if !delimiters.isEmpty {
            delimiters.removeAll(keepingCapacity: true)
            for slot in lastOpeners.indices { lastOpeners[slot] = -1 }
        }
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
        if !addresses.isEmpty { addresses.removeAll(keepingCapacity: true) }
        if !looks.isEmpty { looks = [:] }
        if !brackets.isEmpty { brackets.removeAll(keepingCapacity: true) }
        if !backticks.isEmpty { backticks = [:] }
        if !missingEnds.isEmpty { missingEnds = [] }
        if !templateAddresses.isEmpty { templateAddresses = [] }
        if !leftovers.isEmpty { leftovers = [] }
        if !emoji.isEmpty { emoji = [] }
        blockID = nil
        if !escapedTitleEnds.isEmpty { escapedTitleEnds = [:] }
    }

    func byte(_ index: Int) -> UInt8? { index < input.count ? input[index] : nil }

    @discardableResult
    mutating func append(_ kind: InlineTree.Kind, _ text: Range<Int>, from start: Int) -> Int {
        tree.append(InlineTree.Node(kind: kind, text: text, offset: start))
    }

    mutating func appendText(to end: Int) {
        append(.text, position..<end, from: position)
        position = end
    }

    private mutating func parseNext() {
        let byte = input[position]
        switch byte {
        case .newline, .carriageReturn: parseLineEnd()
        case UInt8(ascii: "`"): parseBackticks()
        case UInt8(ascii: "\\"): parseBackslash()
        case UInt8(ascii: "&"):
            guard let (text, end) = CharacterReference.read(input[...], at: position) else {
                return appendText(to: position + 1)
            }
            append(.text, keep(text), from: position)
            position = end
        case UInt8(ascii: "<"): parsePointyBracket()
        case UInt8(ascii: "*"), UInt8(ascii: "_"): parseDelimiters(byte)
        case UInt8(ascii: "~") where isExtended: parseDelimiters(byte)
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            if options.smartPunctuation { parseQuote(byte) } else { appendText(to: position + 1) }
        case UInt8(ascii: "$"): parseDollars()
        case UInt8(ascii: "="): parseEquals()
        case UInt8(ascii: "{"), UInt8(ascii: "%"): parseDropped()
        case UInt8(ascii: "+"): parsePlus()
        case UInt8(ascii: "^"): parseNote()
        case UInt8(ascii: "-"): parseHyphens()
        case UInt8(ascii: "."): parsePeriods()
        case UInt8(ascii: "["): if !parseWikiLink() { openBracket(width: 1) }
        case UInt8(ascii: "!"):
            if self.byte(position + 1) == UInt8(ascii: "["), parseWikiLink() { return }
            if self.byte(position + 1) == UInt8(ascii: "["),
                self.byte(position + 2) != UInt8(ascii: "^") || !isExtended
            {
                openBracket(width: 2)
            } else {
                appendText(to: position + 1)
            }
        case UInt8(ascii: "]"): closeBracket()
        case UInt8(ascii: "@"):
            hasAtSign = true
            parseText()
        case UInt8(ascii: ":"), UInt8(ascii: "w"):
            if byte == UInt8(ascii: ":"), parseEmoji() { return }
            if !isExtended || !parseAutolink(byte) { parseText() }
        default: parseText()
        }
    }

    private mutating func parseText() {
        let start = position
        position = endOfText(start + 1)
        var end = position
        if let next = byte(position), next.isLineEnd {
            while end > start, input[end - 1].isWhitespace { end -= 1 }
        }
        append(.text, start..<end, from: start)
    }

    /// The next position at which something else than text may begin.
    private func endOfText(_ start: Int) -> Int {
        let span = input.span
        let isSmart = options.smartPunctuation
        var index = start
        while index < span.count {
            if index <= span.count &- 8 {
                let count = span.word(at: index).leadingPlainWords
                index &+= count
                if count == 8 { continue }
            }
            let byte = span[index]
            let next: UInt8
            switch byte {
            case .newline, .carriageReturn, UInt8(ascii: "\\"), UInt8(ascii: "`"),
                UInt8(ascii: "&"), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "<"), UInt8(ascii: "~"), UInt8(ascii: "@"):
                return index
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "."):
                if isSmart { return index }
                index += 1
                continue
            case UInt8(ascii: "$"):
                if options.formulas { return index }
                index += 1
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "%"):
                if options.borrowedBlocks { return index }
                index += 1
                continue
            // These are special only before the byte `next`.
            case UInt8(ascii: "w"): next = UInt8(ascii: "w")
            case UInt8(ascii: ":"):
                if options.borrowedBlocks, EmojiCode.end(in: span, at: index) != nil {
                    return index
                }
                next = UInt8(ascii: "/")
            case UInt8(ascii: "!"), UInt8(ascii: "^"): next = UInt8(ascii: "[")
            case UInt8(ascii: "="), UInt8(ascii: "+"): next = byte
            default:
                index += 1
                continue
            }
            index += 1
            if index < span.count, span[index] == next { return index - 1 }
        }
        return index
    }

    private mutating func parseLineEnd() {
        let start = position
        if byte(position) == .carriageReturn { position += 1 }
        if byte(position) == .newline { position += 1 }
        while let next = byte(position), next.isSpaceOrTab { position += 1 }
        let isHard =
            start > 1 && input[start - 1] == .space && input[start - 2] == .space
        append(isHard ? .lineBreak : .softBreak, 0..<0, from: start)
    }

    private mutating func parseBackslash() {
        let start = position
        if let next = byte(position + 1), next.isPunctuation {
            if next == UInt8(ascii: "@") { hasAtSign = true }
            append(.text, position + 1..<position + 2, from: start)
            position += 2
        } else if let next = byte(position + 1), next.isLineEnd {
            position += 1
            if byte(position) == .carriageReturn { position += 1 }
            if byte(position) == .newline { position += 1 }
            append(.lineBreak, 0..<0, from: start)
        } else {
            appendText(to: position + 1)
        }
    }

    private mutating func parseBackticks() {
        let start = position
        while byte(position) == UInt8(ascii: "`") { position += 1 }
        let length = position - start
        let contentStart = position
        guard let end = closingBackticks(length) else {
            append(.text, start..<contentStart, from: start)
            position = contentStart
            return
        }
        let code = append(.code, withoutLanguage(codeText(contentStart..<end)), from: start)
        position = end + length
        tree[code].end = position
    }

    /// libcmark's own limit; beyond it a run of backticks is text.
    private static let maximumBackticks = 80

    private mutating func closingBackticks(_ length: Int) -> Int? {
        if length > Self.maximumBackticks { return nil }
        if hasScannedBackticks, backticks[length, default: 0] <= position { return nil }
        var scan = position
        while scan < input.count {
            while scan < input.count, input[scan] != UInt8(ascii: "`") { scan += 1 }
            let start = scan
            while scan < input.count, input[scan] == UInt8(ascii: "`") { scan += 1 }
            if scan == start { break }
            if scan - start <= Self.maximumBackticks { backticks[scan - start] = start }
            if scan - start == length { return start }
        }
        hasScannedBackticks = true
        return nil
    }

    /// Line ends become spaces, and one space on either side goes, unless there is nothing else.
    private mutating func codeText(_ source: Range<Int>) -> Range<Int> {
        var text = source
        if input[source].contains(where: \.isLineEnd) {
            var spaced: [UInt8] = []
            for index in source {
                let byte = input[index]
                if byte == .carriageReturn, index + 1 < source.upperBound,
                    input[index + 1] == .newline
                {
                    continue
                }
                spaced.append(byte.isLineEnd ? .space : byte)
            }
            text = keep(spaced)
        }
        let code = bytes(text)
        let isPadded =
            code.first == .space && code.last == .space && code.contains { $0 != .space }
        return isPadded ? text.lowerBound + 1..<text.upperBound - 1 : text
    }
}
