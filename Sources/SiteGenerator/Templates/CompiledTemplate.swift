import Markdown

/// A template that Mustache has rendered once, with placeholders in place of values.
///
/// Which parts of a template are shown depends on which values a page has, not on their content. So
/// Mustache renders each template once for each ``ContextSignature``, and pages only fill in their
/// values.
struct CompiledTemplate: Sendable {
    private enum Piece: Sendable {
        case text([UInt8])
        case value(Int)
        /// A value in two braces, which is escaped.
        case escaped(Int)
    }

    private let pieces: [Piece]

    /// The text in place of a value.
    ///
    /// No template contains it.
    ///
    /// Its angle brackets show whether Mustache escaped the value.
    static func placeholder(_ index: Int) -> String { "\(mark)<\(index)>" }

    private static let mark = "placeholder-5b1e9d4a07c3f286"

    /// - Returns: `nil` if a placeholder was changed.
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

    /// The range of a value in the filled template, if it occurs once and unescaped.
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

    /// Escapes as Mustache does, but byte by byte: Swift treats `"` and a following accent as one
    /// character, browsers do not.
    private static func escape(_ value: [UInt8], into page: inout [UInt8]) {
        HTMLText.escape(value.span, into: &page, apostrophes: true)
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
