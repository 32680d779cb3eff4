import Markdown

/// A template that Mustache has rendered once, with placeholders in place of values.
///
/// Which parts of a template are shown depends on which values a page has, not on their content. So
/// Mustache renders each template once for each set of kinds of values, and pages only fill in
/// their values. The values of the whole site are filled in once.
struct CompiledTemplate: Sendable {
    private struct Piece: Sendable {
        /// The text before the value.
        let text: Range<Int>
        let value: Value
        /// Whether the value is in two braces.
        let isEscaped: Bool
    }

    private enum Value: Sendable {
        case slot(TemplateSlot)
        /// A text of the page's `params`.
        case parameter(Int)
    }

    private let text: [UInt8]
    private let pieces: [Piece]
    /// The text after the last value.
    private let end: Range<Int>

    /// The text in place of a value: of a slot by its number, then of `params`, then of the site.
    ///
    /// No template contains it.
    ///
    /// Its angle brackets show whether Mustache escaped the value.
    static func placeholder(_ index: Int) -> String { "\(mark)<\(index)>" }

    private static let mark = "placeholder-5b1e9d4a07c3f286"

    /// - Parameters:
    ///   - source: what Mustache made of the placeholders.
    ///   - parameters: the number of texts in `params`.
    ///   - constants: the texts of the whole site.
    /// - Returns: `nil` if a placeholder was changed.
    init?(_ source: [UInt8], parameters: Int, constants: [[UInt8]]) {
        let mark = Array(Self.mark.utf8)
        let slots = TemplateSlot.allCases.count
        var text: [UInt8] = []
        var pieces: [Piece] = []
        var begin = 0
        var start = 0
        while let found = Self.position(of: mark, in: source.span, from: start) {
            text += source[start..<found]
            var rest = source[(found + mark.count)...]
            let isEscaped = rest.starts(with: "&lt;".utf8)
            guard isEscaped || rest.first == UInt8(ascii: "<") else { return nil }
            rest = rest.dropFirst(isEscaped ? 4 : 1)
            let digits = rest.prefix { (48...57).contains($0) }
            rest = rest.dropFirst(digits.count)
            guard let index = Int(String(decoding: digits, as: UTF8.self)),
                rest.starts(with: (isEscaped ? "&gt;" : ">").utf8),
                index < slots + parameters + constants.count
            else { return nil }
            if index >= slots + parameters {
                Self.append(constants[index - slots - parameters], isEscaped, to: &text)
            } else {
                let value = TemplateSlot(rawValue: index).map(Value.slot)
                pieces.append(
                    Piece(
                        text: begin..<text.count,
                        value: value ?? .parameter(index - slots),
                        isEscaped: isEscaped
                    )
                )
                begin = text.count
            }
            start = rest.startIndex + (isEscaped ? 4 : 1)
        }
        text += source[start...]
        self.text = text
        self.pieces = pieces
        end = begin..<text.count
    }

    /// A page, and the range of its content, if that occurs once and unescaped.
    ///
    /// - Parameter parameters: the texts of the page's `params`.
    func page(
        _ values: TemplateValues,
        parameters: [[UInt8]],
        content: FilledDocument?
    ) -> (bytes: [UInt8], content: Range<Int>?) {
        var page: [UInt8] = []
        page.reserveCapacity(text.count + values.count * 5 / 4 + (content?.count ?? 0) + 256)
        var range: Range<Int>?
        var occurrences = 0
        for piece in pieces {
            page += text[piece.text]
            let start = page.count
            switch piece.value {
            case .slot(.content): content?.append(to: &page)
            case .slot(let slot): values.append(slot, to: &page)
            case .parameter(let index): page += parameters[index]
            }
            if piece.isEscaped {
                Self.escape(from: start, in: &page)
            } else if case .slot(.content) = piece.value {
                range = start..<page.count
                occurrences += 1
            }
        }
        page += text[end]
        return (page, occurrences == 1 ? range : nil)
    }

    private static func append(_ value: [UInt8], _ isEscaped: Bool, to page: inout [UInt8]) {
        let start = page.count
        page += value
        if isEscaped { escape(from: start, in: &page) }
    }

    /// Escapes as ``MustacheRenderer`` does.
    private static func escape(from start: Int, in page: inout [UInt8]) {
        guard let first = firstEscaped(in: page.span, from: start) else { return }
        let value = Array(page[first...])
        page.removeSubrange(first...)
        HTMLText.escape(value.span, into: &page, apostrophes: true)
    }

    private static func firstEscaped(in text: Span<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < text.count {
            if isEscaped(text[position]) { return position }
            position += 1
        }
        return nil
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: ">")
            && (byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
                || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"))
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
