import Bytes

/// Emphasis, strikethrough and typographic quotes: runs of delimiters and how they pair.
extension InlineParser {
    private static let tilde = UInt8(ascii: "~")

    mutating func parseDelimiters(_ byte: UInt8) {
        let start = position
        // A longer run of tildes is several, none of which strikes anything through.
        let limit = byte == Self.tilde ? 100 : Int.max
        while self.byte(position) == byte, position - start < limit { position += 1 }
        let flanking = flanking(start..<position, skippingTildes: isExtended && byte != Self.tilde)
        let canOpen: Bool
        let canClose: Bool
        if byte == UInt8(ascii: "_") {
            canOpen = flanking.isLeft && (!flanking.isRight || flanking.isAfterPunctuation)
            canClose = flanking.isRight && (!flanking.isLeft || flanking.isBeforePunctuation)
        } else if !isExtended {
            (canOpen, canClose) = (flanking.isLeft, flanking.isRight)
        } else {
            (canOpen, canClose) = (flanking.opensBesideCJK, flanking.closesBesideCJK)
        }
        let node = append(.text, start..<position, from: start)
        // Stars with spaces on both sides are looked at by ``findLooseStars()``.
        let isLoose = byte == UInt8(ascii: "*") && position - start == 2
        if canOpen || canClose || isLoose, byte != Self.tilde || position - start <= 2 {
            push(byte, canOpen, canClose, node, length: position - start)
        }
    }

    mutating func parseQuote(_ byte: UInt8) {
        let start = position
        position += 1
        let flanking = flanking(start..<position, skippingTildes: isExtended)
        let before = start > 0 ? input[start - 1] : .newline
        let canOpen =
            flanking.isLeft && !flanking.isRight && before != UInt8(ascii: "]")
            && before != UInt8(ascii: ")")
        let canClose = flanking.isRight
        let quote =
            byte == UInt8(ascii: "'") ? "\u{2019}" : canClose ? "\u{201D}" : "\u{201C}"
        let node = append(.text, keep(quote.utf8), from: start)
        if canOpen || canClose { push(byte, canOpen, canClose, node, length: quote.utf8.count) }
    }

    mutating func parseHyphens() {
        let start = position
        var end = position + 1
        guard options.smartPunctuation, byte(end) == UInt8(ascii: "-") else {
            return appendText(to: end)
        }
        while byte(end) == UInt8(ascii: "-") { end += 1 }
        let count = end - start
        // As few dashes as there can be, all of one kind where the number allows it.
        let (em, en): (Int, Int) =
            if count % 3 == 0 { (count / 3, 0) } else if count % 2 == 0 {
                (0, count / 2)
            } else if count % 3 == 2 { ((count - 2) / 3, 1) } else { ((count - 4) / 3, 2) }
        let dashes =
            String(repeating: "\u{2014}", count: em) + String(repeating: "\u{2013}", count: en)
        append(.text, keep(dashes.utf8), from: start)
        position = end
    }

    mutating func parsePeriods() {
        guard options.smartPunctuation, input[position...].starts(with: "...".utf8) else {
            return appendText(to: position + 1)
        }
        append(.text, keep("\u{2026}".utf8), from: position)
        position += 3
    }

    /// GitHub looks past tildes for what stands around `*` and `_`.
    private func flanking(_ run: Range<Int>, skippingTildes: Bool) -> Flanking {
        var start = run.lowerBound
        while start > 0 {
            let byte = input[start - 1]
            start -= 1
            let isInside = byte >> 6 == 2 || skippingTildes && byte == Self.tilde
            if !isInside { break }
        }
        var before = scalar(start..<run.lowerBound)
        // What chooses the form of the character before it.
        if (0xFE00...0xFE0E).contains(before.value), start > 0 {
            let end = start
            repeat { start -= 1 } while start > 0 && input[start] >> 6 == 2
            before = scalar(start..<end)
        }
        if skippingTildes, before == "~" { before = "\n" }
        var end = run.upperBound
        if skippingTildes { while byte(end) == Self.tilde { end += 1 } }
        return Flanking(before: before, after: scalar(end..<min(end + 4, input.count)))
    }

    private func scalar(_ range: Range<Int>) -> Unicode.Scalar {
        if let first = byte(range.lowerBound), first < 0x80, !range.isEmpty {
            return Unicode.Scalar(first)
        }
        var iterator = input[range].makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = decoder.decode(&iterator) { return scalar }
        return "\n"
    }

    mutating func push(
        _ byte: UInt8,
        _ canOpen: Bool,
        _ canClose: Bool,
        _ node: Int,
        length: Int
    ) {
        var delimiter = Delimiter(
            byte: byte,
            canOpen: canOpen,
            canClose: canClose,
            node: node,
            length: length,
            position: position,
            left: length
        )
        delimiter.previous = lastDelimiter
        delimiter.previousOfKind = lastOpeners[delimiter.slot]
        delimiters.append(delimiter)
        if canOpen { lastOpeners[delimiter.slot] = delimiters.count - 1 }
        if lastDelimiter >= 0 { delimiters[lastDelimiter].next = delimiters.count - 1 }
        lastDelimiter = delimiters.count - 1
    }

    private mutating func remove(_ index: Int) {
        let delimiter = delimiters[index]
        delimiters[index].isRemoved = true
        if delimiter.next >= 0 {
            delimiters[delimiter.next].previous = delimiter.previous
        } else {
            lastDelimiter = delimiter.previous
        }
        if delimiter.previous >= 0 { delimiters[delimiter.previous].next = delimiter.next }
    }

    /// Pairs the runs after `bottom` with each other, and forgets them.
    mutating func pairDelimiters(from bottom: Int) {
        guard lastDelimiter >= 0, delimiters[lastDelimiter].position >= bottom else { return }
        // No opener stands before these, for closers of that byte, length (modulo 3) and kind.
        for slot in bottoms.indices { bottoms[slot] = bottom }
        var closer = -1
        var candidate = lastDelimiter
        while candidate >= 0, delimiters[candidate].position >= bottom {
            closer = candidate
            candidate = delimiters[candidate].previous
        }
        while closer >= 0 {
            let current = delimiters[closer]
            guard current.canClose else {
                closer = current.next
                continue
            }
            let kind = current.length % 3 + (current.canOpen ? 3 : 0)
            let slot = kind * Delimiter.slots + current.slot
            let opener = opener(for: closer, notBefore: max(bottom, bottoms[slot]))
            let old = closer
            switch current.byte {
            case Self.tilde:
                closer = current.next
                if opener >= 0 { enclose(opener, old, in: .strikethrough) }
            case UInt8(ascii: "="):
                closer = current.next
                if opener >= 0 { enclose(opener, old, in: .marked) }
            case UInt8(ascii: "*"), UInt8(ascii: "_"):
                closer = opener >= 0 ? emphasize(opener, old) : current.next
            default:
                closer = current.next
                if opener >= 0 { quote(opener, old) } else { closeQuote(old) }
            }
            if opener < 0 {
                bottoms[slot] = current.position
                if !current.canOpen { remove(old) }
            }
        }
        while lastDelimiter >= 0, delimiters[lastDelimiter].position >= bottom {
            remove(lastDelimiter)
        }
    }

    /// Finds `**` that was meant to begin bold text: another one stands behind it like an end.
    mutating func findLooseStars() {
        var first = -1
        func isSpace(_ index: Int) -> Bool {
            !input.indices.contains(index) || input[index].isWhitespace
        }
        for run in delimiters where run.byte == UInt8(ascii: "*") && run.left > 1 {
            let start = run.position - run.length
            let (before, after) = (start > 0 ? input[start - 1] : 0, byte(run.position) ?? 0)
            // '**/*.md'
            if "/\\".utf8.contains(before) || "/\\".utf8.contains(after) { continue }
            // '*args, **kwargs'
            let isBehindWord = !isSpace(start - 1) && !"(,".utf8.contains(before)
            let isEnd = isBehindWord || isSpace(run.position)
            let isBoth = first >= 0 && isSpace(start - 1) && isSpace(first + 2)
            if first >= 0, isEnd, !isBoth { leftovers.insert(first) }
            first = first >= 0 && isEnd && !isBoth ? -1 : start
        }
    }

    private mutating func opener(for closer: Int, notBefore bottom: Int) -> Int {
        let (length, canOpen) = (delimiters[closer].length, delimiters[closer].canOpen)
        var index = openerBefore(closer)
        while index >= 0, delimiters[index].position >= bottom {
            let opener = delimiters[index]
            // Rule 9 and 10: a run that could do both must not make a sum of three.
            let isBoth = canOpen || opener.canClose
            if !isBoth || length % 3 == 0 || (opener.length + length) % 3 != 0 { return index }
            index = openerBefore(index)
        }
        return -1
    }

    /// The last opener of the same character before a run, or -1.
    ///
    /// Runs of other characters are not looked at: between an opener and its closers there may be
    /// 100,000 of them. Runs that have been removed are passed over once, and then left out of the
    /// chain.
    private mutating func openerBefore(_ index: Int) -> Int {
        var found = delimiters[index].previousOfKind
        while found >= 0, delimiters[found].isRemoved { found = delimiters[found].previousOfKind }
        var passed = index
        while passed != found {
            let next = delimiters[passed].previousOfKind
            delimiters[passed].previousOfKind = found
            passed = next
        }
        return found
    }

    private mutating func emphasize(_ opener: Int, _ closer: Int) -> Int {
        let used = delimiters[opener].left >= 2 && delimiters[closer].left >= 2 ? 2 : 1
        var between = delimiters[closer].previous
        while between != opener, between >= 0 {
            let previous = delimiters[between].previous
            remove(between)
            between = previous
        }
        let openerNode = delimiters[opener].node
        let closerNode = delimiters[closer].node
        let emphasis = InlineTree.Node(
            kind: used == 1 ? .emphasis : .strong,
            offset: tree[openerNode].offset
        )
        let node = tree.insert(emphasis, after: openerNode)
        tree.move(after: node, before: closerNode, into: node)
        shorten(opener, by: used)
        shorten(closer, by: used)
        let next = delimiters[closer].next
        if delimiters[opener].left == 0 { remove(opener) }
        guard delimiters[closer].left == 0 else { return closer }
        remove(closer)
        return next
    }

    private mutating func shorten(_ index: Int, by count: Int) {
        delimiters[index].left -= count
        let node = delimiters[index].node
        if delimiters[index].left == 0 {
            tree.remove(node)
        } else {
            tree[node].shorten(by: count)
        }
    }

    private mutating func enclose(_ opener: Int, _ closer: Int, in kind: InlineTree.Kind) {
        // Runs of different lengths leave each other alone.
        guard delimiters[opener].length == delimiters[closer].length else { return }
        let openerNode = delimiters[opener].node
        let closerNode = delimiters[closer].node
        let node = tree.insert(
            InlineTree.Node(kind: kind, offset: tree[openerNode].offset),
            after: openerNode
        )
        tree.move(after: node, before: closerNode, into: node)
        tree.remove(openerNode)
        tree.remove(closerNode)
        var index = closer
        while index != opener, index >= 0 {
            let previous = delimiters[index].previous
            remove(index)
            index = previous
        }
        remove(opener)
    }

    private mutating func quote(_ opener: Int, _ closer: Int) {
        closeQuote(closer)
        let left = delimiters[opener].byte == UInt8(ascii: "'") ? "\u{2018}" : "\u{201C}"
        tree[delimiters[opener].node].text = keep(left.utf8)
        remove(opener)
        remove(closer)
    }

    private mutating func closeQuote(_ closer: Int) {
        let right = delimiters[closer].byte == UInt8(ascii: "'") ? "\u{2019}" : "\u{201D}"
        tree[delimiters[closer].node].text = keep(right.utf8)
    }
}
