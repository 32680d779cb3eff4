import Bytes

/// A text that is put together from several files, line by line.
struct ExpandedText {
    private(set) var bytes: [UInt8] = []
    var map = SourceMap()
    /// How many bytes it may have; what is beyond is left out.
    private let maximumBytes: Int
    private var line = 1
    private var lineStart = 0

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    var isFull: Bool { bytes.count > maximumBytes }

    /// Adds bytes of a file.
    ///
    /// - Parameter place: of the first one in its file.
    mutating func copy(_ range: Range<Int>, of source: ExpandedFile, from place: SourceMap.Place) {
        if range.isEmpty { return }
        let text = source.file.text
        var start = range.lowerBound
        while start < range.upperBound, !isFull {
            let rest = text.span.extracting(start..<range.upperBound)
            let end = start + min(rest.position(of: 10) + 1, rest.count)
            beginLine(source.prefix, isBlank: text[start] == 10)
            if start == range.lowerBound { addPiece(source, place, isFixed: false) }
            bytes += text[start..<end]
            if text[end - 1] == 10 { (line, lineStart) = (line + 1, bytes.count) }
            start = end
        }
    }

    /// Adds a text that stands in no file, in place of what stands at the file's position.
    ///
    /// - Parameter prefix: of its lines; `nil` for that of the file.
    mutating func put(_ text: String, _ source: ExpandedFile, prefix: [UInt8]? = nil) {
        for (index, words) in text.utf8.split(separator: 10, omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 {
                bytes.append(10)
                (line, lineStart) = (line + 1, bytes.count)
            }
            if words.isEmpty { continue }
            beginLine(prefix ?? source.prefix, isBlank: false)
            addPiece(source, source.place, isFixed: true)
            bytes += words
        }
    }

    private mutating func beginLine(_ prefix: [UInt8], isBlank: Bool) {
        if prefix.isEmpty || bytes.count != lineStart { return }
        bytes +=
            isBlank ? prefix[...(prefix.lastIndex { !$0.isSpaceOrTab } ?? -1)] : prefix[...]
    }

    private mutating func addPiece(
        _ source: ExpandedFile,
        _ place: SourceMap.Place,
        isFixed: Bool
    ) {
        map.add(
            SourceMap.Piece(
                place: SourceMap.Place(line: line, column: bytes.count - lineStart + 1),
                origin: source.origin,
                source: place,
                indentation: source.prefix.count,
                isFixed: isFixed
            )
        )
    }
}
