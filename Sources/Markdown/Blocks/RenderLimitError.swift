/// Why a document is not rendered: it would take more time or space than the limits allow.
public struct RenderLimitError: Error, Sendable, Equatable {
    public let message: String
    /// In the document, from 1.
    public let line: Int
}

/// Finds documents that would make libcmark slow, before libcmark reads them.
///
/// libcmark 0.30 looks at every open container for every line, and at every open image bracket for
/// every link. Both are quick in the documents of people and quadratic in those of attackers:
/// `![[]()` repeated to 480 KB takes libcmark six seconds. Which brackets are open is certain only
/// after parsing, because `\]`, code and addresses close none: so images and links are counted as
/// well.
struct RenderLimitCheck {
    static let maximumNesting = 100
    static let maximumOpenBrackets = 500
    static let maximumIndentation = 400
    /// How many steps libcmark may take from links to images in front of them; 0.3 seconds.
    static let maximumImageSteps = 100_000_000
    /// How many times its source a page's HTML may have; beyond the first megabyte.
    static let maximumGrowth = 64

    static func refusal(ofHTML count: Int, from source: SourceText) -> RenderLimitError? {
        guard count > 1_000_000 + maximumGrowth * source.bytes.count else { return nil }
        let message = "the page's HTML is more than \(maximumGrowth) times as large as its source"
        return RenderLimitError(message: message, line: 1)
    }

    static func refusal(of source: SourceText) -> RenderLimitError? {
        if mayBeRefused(source), let refusal = nestingRefusal(of: source) { return refusal }
        return source.allTraits.contains(.definition) ? definitionRefusal(of: source) : nil
    }

    /// Whether there are enough brackets, or a line with enough bytes before its text.
    private static func mayBeRefused(_ source: SourceText) -> Bool {
        if source.brackets.open > maximumOpenBrackets { return true }
        if source.brackets.open * source.brackets.close > maximumImageSteps { return true }
        for line in source.lines where line.count > maximumNesting {
            let end = line.lowerBound + maximumNesting
            var position = line.lowerBound
            while position < end, !source.bytes[position].isLetter { position += 1 }
            if position == end { return true }
        }
        return false
    }

    private static func nestingRefusal(of source: SourceText) -> RenderLimitError? {
        var openBrackets = 0
        // Both count within the lines between two blank lines.
        var images = 0
        var ends = 0
        var steps = 0
        for (index, line) in source.lines.enumerated() {
            let prefix = containerMarkers(source.bytes, line)
            if prefix.markers + prefix.columns / 4 > maximumNesting {
                let message = "quotes and lists are nested more than \(maximumNesting) deep"
                return RenderLimitError(message: message, line: index + 1)
            }
            if prefix.contentStart == line.upperBound { (openBrackets, images, ends) = (0, 0, 0) }
            for position in prefix.contentStart..<line.upperBound {
                switch source.bytes[position] {
                case UInt8(ascii: "["):
                    openBrackets += 1
                    let isImage =
                        position > line.lowerBound
                        && source.bytes[position - 1] == UInt8(ascii: "!")
                    if isImage { images += 1 }
                case UInt8(ascii: "]"):
                    openBrackets = max(0, openBrackets - 1)
                    ends += 1
                    steps += images
                default: continue
                }
                if steps > maximumImageSteps {
                    let message = "one paragraph has \(images) images and \(ends) ']'"
                    return RenderLimitError(message: message, line: index + 1)
                }
                if openBrackets > maximumOpenBrackets {
                    let message = "more than \(maximumOpenBrackets) '[' are not closed"
                    return RenderLimitError(message: message, line: index + 1)
                }
            }
        }
        return nil
    }

    /// The markers of quotes and list items at the start of a line, and the indentation before
    /// them where there are some.
    private static func containerMarkers(
        _ bytes: [UInt8],
        _ line: Range<Int>
    ) -> (markers: Int, columns: Int, contentStart: Int) {
        var position = line.lowerBound
        var markers = 0
        var spaces = 0
        var columns = 0
        while position < line.upperBound {
            let byte = bytes[position]
            if byte.isSpaceOrTab {
                spaces += byte == .tab ? 4 : 1
                position += 1
                continue
            }
            var end = position
            while end < line.upperBound, bytes[end].isDigit, end - position < 9 { end += 1 }
            let isNumber = end > position
            guard end < line.upperBound else { break }
            let marker = bytes[end]
            let isMarker =
                isNumber
                ? marker == UInt8(ascii: ".") || marker == UInt8(ascii: ")")
                : "-+*>".utf8.contains(marker)
            let isFollowed =
                marker == UInt8(ascii: ">") || end + 1 == line.upperBound
                || bytes[end + 1].isSpaceOrTab
            guard isMarker, isFollowed else { break }
            markers += 1
            columns = spaces
            position = end + 1
        }
        return (markers, columns > maximumIndentation ? columns : 0, position)
    }

    /// One long definition that is used often makes a page much larger than its source.
    private static func definitionRefusal(of source: SourceText) -> RenderLimitError? {
        let bytes = source.bytes
        guard bytes.count > 4096 else { return nil }
        var longest = 0
        var longestLine = 1
        var uses = 0
        for (index, line) in source.lines.enumerated() {
            for position in line where bytes[position] == UInt8(ascii: "]") {
                uses += 1
                guard position + 1 < line.upperBound, bytes[position + 1] == UInt8(ascii: ":")
                else { continue }
                let length = definitionLength(source, index, position + 2)
                if length > longest { (longest, longestLine) = (length, index + 1) }
            }
        }
        let growth = longest * uses
        guard longest > 256, growth > 1_000_000, growth > 10 * bytes.count else { return nil }
        let message = "this definition has \(longest) bytes and may be used \(uses) times"
        return RenderLimitError(message: message, line: longestLine)
    }

    private static func definitionLength(_ source: SourceText, _ line: Int, _ start: Int) -> Int {
        var end = source.lines[line].upperBound
        var next = line + 1
        // A title may go over several lines, but not over a blank one; definitions follow directly.
        while next < source.lines.count, !source.lines[next].isEmpty, end - start < 65536,
            source.bytes[source.lines[next].lowerBound] != UInt8(ascii: "[")
        {
            end = source.lines[next].upperBound
            next += 1
        }
        return end - start
    }
}
