/// A template that Mustache has filled once, with placeholders where values go.
///
/// Pages of one kind differ in their values alone: which parts of the template they show depends on
/// which values they have, and not on what those say. So Mustache is asked once for each kind.
struct CompiledTemplate: Sendable {
    private enum Piece: Sendable {
        case text([UInt8])
        case value(Int)
        /// Where the template has two braces, and not three.
        case escaped(Int)
    }

    private let pieces: [Piece]

    /// What stands for a value: no template has it.
    ///
    /// Its brackets tell whether it was escaped.
    static func placeholder(_ index: Int) -> String { "\(mark)<\(index)>" }

    private static let mark = "placeholder-5b1e9d4a07c3f286"

    /// - Returns: `nil` where a placeholder is not what was put in.
    init?(_ rendered: String) {
        let text = Array(rendered.utf8)
        let mark = Array(Self.mark.utf8)
        var pieces: [Piece] = []
        var start = 0
        while let found = Self.position(of: mark, in: text.span, from: start) {
            pieces.append(.text(Array(text[start..<found])))
            var rest = text[(found + mark.count)...]
            let isEscaped = rest.starts(with: "&lt;".utf8)
            guard isEscaped || rest.first == UInt8(ascii: "<") else { return nil }
            rest = rest.dropFirst(isEscaped ? 4 : 1)
            let digits = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(digits.count)
            guard let index = Int(String(decoding: digits, as: UTF8.self)),
                rest.starts(with: (isEscaped ? "&gt;" : ">").utf8)
            else { return nil }
            pieces.append(isEscaped ? .escaped(index) : .value(index))
            start = rest.startIndex + (isEscaped ? 4 : 1)
        }
        pieces.append(.text(Array(text[start...])))
        self.pieces = pieces
    }

    /// Where a value stands in the filled template, if it stands there once and as it is.
    func range(of value: Int, in values: [[UInt8]]) -> Range<Int>? {
        var position = 0
        var range: Range<Int>?
        for piece in pieces {
            switch piece {
            case .text(let text): position += text.count
            case .value(let index):
                if index == value {
                    guard range == nil else { return nil }
                    range = position..<position + values[index].count
                }
                position += values[index].count
            case .escaped(let index):
                var escaped: [UInt8] = []
                Self.escape(values[index], into: &escaped)
                position += escaped.count
            }
        }
        return range
    }

    func filled(with values: [[UInt8]]) -> [UInt8] {
        var page: [UInt8] = []
        let texts = pieces.reduce(0) {
            if case .text(let text) = $1 { $0 + text.count } else { $0 }
        }
        page.reserveCapacity(texts + values.reduce(0) { $0 + $1.count + 16 })
        for piece in pieces {
            switch piece {
            case .text(let text): page += text
            case .value(let index): page += values[index]
            case .escaped(let index): Self.escape(values[index], into: &page)
            }
        }
        return page
    }

    /// As Mustache does it, but byte by byte: Swift takes `"` and an accent behind it for one
    /// character, a browser does not.
    private static func escape(_ value: [UInt8], into page: inout [UInt8]) {
        for byte in value {
            switch byte {
            case UInt8(ascii: "<"): page += "&lt;".utf8
            case UInt8(ascii: ">"): page += "&gt;".utf8
            case UInt8(ascii: "&"): page += "&amp;".utf8
            case UInt8(ascii: "\""): page += "&quot;".utf8
            case UInt8(ascii: "'"): page += "&#39;".utf8
            default: page.append(byte)
            }
        }
    }

    private static func position(of mark: [UInt8], in text: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        while position + mark.count <= text.count {
            if text[position] == mark[0],
                mark.indices.allSatisfy({ text[position + $0] == mark[$0] })
            {
                return position
            }
            position += 1
        }
        return nil
    }
}
