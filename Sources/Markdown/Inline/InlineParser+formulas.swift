import Bytes

/// Formulas between dollar signs, as GitHub reads them: `$x^2$`, `` $`x^2`$ `` and `$$x^2$$`.
extension InlineParser {
    private static let dollar = UInt8(ascii: "$")
    private static let backtick = UInt8(ascii: "`")
    /// A longer formula is text: most of a page between two prices is none.
    private static let maximumFormulaBytes = 4096

    /// Reads a formula; a dollar sign that begins none is text.
    mutating func parseDollars() {
        var end = position
        while byte(end) == Self.dollar { end += 1 }
        guard options.formulas, let end = endOfFormula(behind: end) else {
            return appendText(to: end)
        }
        let formula = append(.formula, position..<end, from: position)
        tree[formula].end = end
        position = end
    }

    /// - Parameter start: where the dollar signs end.
    private mutating func endOfFormula(behind start: Int) -> Int? {
        if position > 0, input[position - 1].isLetterOrDigit { return nil }
        switch start - position {
        case 1:
            return byte(start) == Self.backtick
                ? endOfFormula("`$", from: start + 1, longest: Self.maximumFormulaBytes)
                : endOfInlineFormula(from: start)
        case 2: return endOfFormula("$$", from: start, longest: .max)
        default: return nil
        }
    }

    /// The next dollar sign ends the formula, or there is none: prices are no formulas.
    private func endOfInlineFormula(from start: Int) -> Int? {
        guard let first = byte(start), !first.isWhitespace else { return nil }
        var isTeX = !first.isDigit
        var hasSpace = false
        var index = start
        while let byte = byte(index), index - start < Self.maximumFormulaBytes {
            switch byte {
            case UInt8(ascii: "\\"):
                isTeX = true
                index += 1
            case Self.backtick: return nil
            case UInt8(ascii: "]"): if self.byte(index + 1) == UInt8(ascii: "(") { return nil }
            case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "+"),
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "{"), UInt8(ascii: "*"):
                isTeX = true
            case Self.dollar:
                let isEnd =
                    index > start && !input[index - 1].isWhitespace
                    && self.byte(index + 1).map { !$0.isLetterOrDigit && $0 != Self.dollar } ?? true
                // '$5, or 7$' are prices.
                return isEnd && (isTeX || !hasSpace) ? index + 1 : nil
            case _ where byte.isWhitespace: hasSpace = true
            default: break
            }
            index += 1
        }
        return nil
    }

    /// - Parameter mark: `` `$ `` or `$$`, by which the formula ends.
    private mutating func endOfFormula(_ mark: String, from start: Int, longest: Int) -> Int? {
        guard !missingEnds.contains(mark) else { return nil }
        let isDisplay = mark == "$$"
        var index = start
        while index + 1 < input.count {
            if isDisplay, input[index] == UInt8(ascii: "\\") {
                index += 2
            } else if input[index] == (isDisplay ? Self.dollar : Self.backtick),
                input[index + 1] == Self.dollar
            {
                return index > start && index - start <= longest ? index + 2 : nil
            } else {
                index += 1
            }
        }
        missingEnds.insert(mark)
        return nil
    }
}
