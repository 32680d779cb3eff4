import HTML

/// The texts of nodes: ranges of the input, or of texts that are kept behind it.
extension InlineParser {
    /// The bytes of a text; their indices are other ones where the text is not in the input.
    func bytes(_ text: Range<Int>) -> ArraySlice<UInt8> {
        isOther(text) ? others[shifted(text)] : input[text]
    }

    /// Appends a text to HTML, escaped.
    func escape(_ text: Range<Int>, into html: inout [UInt8]) {
        if isOther(text) {
            HTMLText.escape(others.span.extracting(shifted(text)), into: &html)
        } else {
            HTMLText.escape(input.span.extracting(text), into: &html)
        }
    }

    /// Keeps a text that does not stand in the input.
    mutating func keep(_ text: some Sequence<UInt8>) -> Range<Int> {
        let start = input.count + others.count
        others.append(contentsOf: text)
        return start..<input.count + others.count
    }

    /// The text without its markup.
    var text: String {
        var text: [UInt8] = []
        tree.walk { node, entering in
            switch node.kind {
            case .text, .code, .html: text += bytes(node.text)
            default: break
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A link or an image, which is not yet in the tree.
    mutating func node(
        _ kind: InlineTree.Kind,
        from offset: Int,
        to destination: String,
        title: String = ""
    ) -> InlineTree.Node {
        addresses.append((destination, title))
        return InlineTree.Node(kind: kind, address: addresses.count - 1, offset: offset)
    }

    /// Makes neighbouring texts one.
    mutating func joinTexts() {
        for index in tree.nodes.indices
        where tree[index].kind == .text && tree[index].parent >= 0 {
            while true {
                let next = tree[index].next
                guard next >= 0, tree[next].kind == .text else { break }
                tree[index].text = joined(tree[index].text, tree[next].text)
                tree.remove(next)
            }
        }
    }

    private mutating func joined(_ first: Range<Int>, _ second: Range<Int>) -> Range<Int> {
        if first.isEmpty { return second }
        if second.isEmpty { return first }
        if first.upperBound == second.lowerBound, isOther(first) == isOther(second) {
            return first.lowerBound..<second.upperBound
        }
        // Joined texts grow where they are, so that each byte is copied once.
        let isLast = isOther(first) && first.upperBound == input.count + others.count
        let start = isLast ? first.lowerBound : copy(first)
        _ = copy(second)
        return start..<input.count + others.count
    }

    /// - Returns: where the copy begins.
    private mutating func copy(_ text: Range<Int>) -> Int {
        let start = input.count + others.count
        if isOther(text) {
            // A slice would make the array copy itself.
            for index in shifted(text) { others.append(others[index]) }
        } else {
            others.append(contentsOf: input[text])
        }
        return start
    }

    private func isOther(_ text: Range<Int>) -> Bool { text.lowerBound >= input.count }

    private func shifted(_ text: Range<Int>) -> Range<Int> {
        text.lowerBound - input.count..<text.upperBound - input.count
    }
}
