import Bytes

/// Marks, keys and sizes of images in the syntax of other tools.
extension InlineParser {
    private static let equals = UInt8(ascii: "=")

    /// `==marked==`, which begins behind no letter and ends before none.
    mutating func parseEquals() {
        let start = position
        while byte(position) == Self.equals { position += 1 }
        let run = start..<position
        let node = append(.text, run, from: start)
        guard options.borrowedBlocks, run.count == 2 else { return }
        let before = start > 0 ? input[start - 1] : .space
        let after = byte(position) ?? .space
        let canOpen = !after.isWhitespace && !before.isLetterOrDigit
        let canClose = !before.isWhitespace && !after.isLetterOrDigit
        if canOpen || canClose { push(Self.equals, canOpen, canClose, node, length: 2) }
    }

    /// Keys, `++ctrl+alt+del++`, as Material for MkDocs writes them.
    mutating func parsePlus() {
        let start = position
        guard options.borrowedBlocks, input[start...].starts(with: "++".utf8),
            start == 0 || !input[start - 1].isLetterOrDigit, let end = endOfKeys(start + 2)
        else { return appendText(to: start + 1) }
        let keys = append(.keys, start + 2..<end - 2, from: start)
        tree[keys].end = end
        position = end
    }

    /// `text^[note]`, as Pandoc and Obsidian write footnotes.
    mutating func parseNote() {
        guard options.borrowedBlocks, beginsNote() else { return appendText(to: position + 1) }
        openBracket(width: 2, isNote: true)
    }

    /// Whether words follow, and neither an expression for a search, as in `^[a-z]+$`, nor a link.
    private func beginsNote() -> Bool {
        guard byte(position + 1) == UInt8(ascii: "[") else { return false }
        let start = position + 2
        var (end, depth) = (start, 1)
        while depth > 0 {
            guard end < min(input.count, start + 1000) else { return false }
            switch input[end] {
            case UInt8(ascii: "\\"): end += 1
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            default: break
            }
            end += 1
        }
        let text = input[start..<end - 1]
        let isBehindWord = position > 0 && !input[position - 1].isWhitespace
        return !"([+*?{$:".utf8.contains(byte(end) ?? 0) && labels[text] == nil
            && text.contains { $0.isLetter || $0 >= 0x80 }
            && (isBehindWord || text.contains(where: \.isWhitespace))
    }

    private func endOfKeys(_ start: Int) -> Int? {
        var index = start
        var isName = false
        // No keyboard has more keys than fingers that press them.
        while let byte = byte(index), index - start < 100 {
            if byte.isLetterOrDigit || byte == UInt8(ascii: "-") {
                isName = true
            } else if byte == UInt8(ascii: "+"), isName {
                if self.byte(index + 1) == byte { return index + 2 }
                isName = false
            } else {
                return nil
            }
            index += 1
        }
        return nil
    }

    /// Reads `{width=300}` behind an image.
    mutating func readLook(ofAddress address: Int) {
        guard options.borrowedBlocks, byte(position) == UInt8(ascii: "{") else { return }
        let inside = input[(position + 1)...].prefix(200)
        guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: "}") || $0.isLineEnd }),
            input[end] == UInt8(ascii: "}"),
            let look = ImageLook(attributes: String(decoding: inside[..<end], as: UTF8.self))
        else { return }
        looks[address] = look
        drop(to: end + 1)
    }

    /// The size in `![…](file =100x50)`, and where it ends.
    func imageSize(at start: Int) -> (look: ImageLook, end: Int)? {
        guard options.borrowedBlocks, byte(start) == Self.equals else { return nil }
        let size = input[(start + 1)...].prefix(20).prefix { $0.isDigit || "x%".utf8.contains($0) }
        guard size.contains(UInt8(ascii: "x")),
            let look = ImageLook(size: String(decoding: size, as: UTF8.self))
        else { return nil }
        return (look, size.endIndex)
    }

    /// Takes the size off `![text|300](file)`, as Obsidian writes it.
    mutating func takeSize(ofImage image: Int, address: Int) {
        let last = tree.lastChild(of: image)
        guard options.borrowedBlocks, last >= 0, tree[last].kind == .text else { return }
        let text = bytes(tree[last].text)
        guard let bar = text.suffix(20).lastIndex(of: UInt8(ascii: "|")),
            let look = ImageLook(size: String(decoding: text[(bar + 1)...], as: UTF8.self))
        else { return }
        looks[address] = look
        tree[last].shorten(by: text.endIndex - bar)
    }
}

/// How large an author wants an image, and on which side of the text.
struct ImageLook: Equatable {
    var width: Int?
    var height: Int?
    /// The share of the text's width: one of ``shares``.
    var share: Int?
    /// `start` or `end`.
    var side: String?

    /// In per cent.
    static let shares = [25, 33, 50, 66, 75, 100]
    private static let largest = 10_000

    private init() {}

    /// - Parameter size: `300`, `300x200`, `300x`, `x200` or `50%x`.
    init?(size: String) {
        self.init()
        let parts = size.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first, !first.isEmpty, !setWidth(String(first)) { return nil }
        if parts.count > 1, !parts[1].isEmpty {
            guard let number = Self.number(parts[1]) else { return nil }
            height = number
        }
        if self == ImageLook() { return nil }
    }

    /// - Parameter attributes: `width=300 height="200" .class align=left`; others mean nothing.
    init?(attributes: String) {
        self.init()
        for word in attributes.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            if word.hasPrefix(".") || word.hasPrefix("#") || word.hasPrefix(":") { continue }
            guard parts.count == 2 else { return nil }
            let value = parts[1].filter { $0 != "\"" && $0 != "'" }
            switch parts[0] {
            case "width": if !setWidth(value) { return nil }
            case "height": height = Self.number(value[...])
            case "align": side = ["left": "start", "right": "end"][value]
            default: break
            }
        }
    }

    private mutating func setWidth(_ value: String) -> Bool {
        guard value.hasSuffix("%") else {
            width = Self.number(value[...])
            return width != nil
        }
        guard let number = Self.number(value.dropLast()), number <= 100 else { return false }
        share = Self.shares.min { abs($0 - number) < abs($1 - number) }
        return true
    }

    private static func number(_ text: Substring) -> Int? {
        let digits = text.hasSuffix("px") ? text.dropLast(2) : text
        guard let number = Int(digits), (1...largest).contains(number),
            digits.utf8.allSatisfy({ (48...57).contains($0) })
        else { return nil }
        return number
    }

    /// The classes of the image; empty for none.
    var classes: String {
        [share.map { "is-\($0)-wide" }, side.map { "is-at-\($0)" }].compactMap(\.self)
            .joined(separator: " ")
    }
}
