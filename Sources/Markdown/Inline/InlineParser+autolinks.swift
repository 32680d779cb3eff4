import Bytes

/// Addresses that are links without any mark (GitHub Flavored Markdown 0.29, section 6.9).
extension InlineParser {
    /// - Returns: whether an address begins at the `w`, or around the `:`.
    mutating func parseAutolink(_ byte: UInt8) -> Bool {
        if let bracket = brackets.last, bracket.isInLink || bracket.isInImage { return false }
        return byte == UInt8(ascii: ":") ? parseURL() : parseHost()
    }

    /// A host that begins with `www.`, and what follows it.
    private mutating func parseHost() -> Bool {
        let start = position
        if start > 0 {
            let before = input[start - 1]
            guard before.isWhitespace || "*_~(".utf8.contains(before) else { return false }
        }
        guard input[start...].starts(with: "www.".utf8),
            let domain = endOfDomain(start, needsDot: true)
        else { return false }
        let end = AddressEnd.trimmed(input, start..<endOfPath(domain))
        guard end > start else { return false }
        appendLink(start..<end, prefix: "http://")
        return true
    }

    /// `https://example.com/…`, found at the colon; the scheme is text by now.
    private mutating func parseURL() -> Bool {
        let colon = position
        guard byte(colon + 1) == UInt8(ascii: "/"), byte(colon + 2) == UInt8(ascii: "/"),
            colon + 3 < input.count
        else { return false }
        var start = colon
        while start > 0, input[start - 1].isLetter { start -= 1 }
        let scheme = String(decoding: input[start..<colon], as: UTF8.self).lowercased()
        guard ["http", "https", "ftp"].contains(scheme), isHostByte(colon + 3),
            let domain = endOfDomain(colon + 3, needsDot: false)
        else { return false }
        let end = AddressEnd.trimmed(input, colon..<endOfPath(domain))
        guard end > colon else { return false }
        removeText(colon - start)
        appendLink(start..<end, prefix: "")
        return true
    }

    private mutating func appendLink(_ range: Range<Int>, prefix: String) {
        let destination = prefix + String(decoding: input[range], as: UTF8.self)
        var link = node(.link, from: range.lowerBound, to: destination)
        link.end = range.upperBound
        let index = tree.append(link)
        let text = InlineTree.Node(kind: .text, text: range, offset: range.lowerBound)
        _ = tree.append(text, to: index)
        position = range.upperBound
    }

    /// Takes bytes off the texts that were parsed last.
    private mutating func removeText(_ count: Int) {
        var left = count
        var node = tree.lastChild(of: 0)
        while left > 0, node >= 0, tree[node].kind == .text {
            let taken = min(left, tree[node].text.count)
            tree[node].shorten(by: taken)
            left -= taken
            node = tree.previousSibling(of: node)
        }
    }

    private func endOfPath(_ start: Int) -> Int {
        var end = start
        while end < input.count, !input[end].isWhitespace, input[end] != UInt8(ascii: "<") {
            end += 1
        }
        return end
    }

    /// Where a domain ends; `nil` where an underscore stands in one of its last two labels.
    private func endOfDomain(_ start: Int, needsDot: Bool) -> Int? {
        var dots = 0
        var underscoresBefore = 0
        var underscores = 0
        var scan = start + 1
        while scan < input.count - 1 {
            if input[scan] == UInt8(ascii: "_") {
                underscores += 1
            } else if input[scan] == UInt8(ascii: ".") {
                underscoresBefore = underscores
                underscores = 0
                dots += 1
            } else if input[scan] != UInt8(ascii: "-"), !isHostByte(scan) {
                break
            }
            scan += 1
        }
        // A very long domain passes: looking it through again from each of its dots is slow.
        if underscoresBefore + underscores > 0, dots <= 10 { return nil }
        return needsDot && dots == 0 ? nil : scan
    }

    /// Whether the character that begins here is neither space nor punctuation.
    private func isHostByte(_ index: Int) -> Bool {
        let byte = input[index]
        if byte < 0x80 { return !byte.isWhitespace && !byte.isPunctuation }
        var iterator = input[index..<min(index + 4, input.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return false }
        return !Flanking.isSpace(scalar) && !Flanking.isPunctuation(scalar)
    }

    /// Makes links of e-mail addresses in texts outside of links.
    mutating func linkAddresses() {
        guard hasAtSign || others.contains(UInt8(ascii: "@")) else { return }
        var linkDepth = 0
        var texts: [Int] = []
        var cursor = InlineTree.Cursor()
        while tree.advance(&cursor) {
            switch tree[cursor.index].kind {
            case .link, .wikiLink: linkDepth += cursor.isEntering ? 1 : -1
            case .text where linkDepth == 0: texts.append(cursor.index)
            default: break
            }
        }
        for index in texts { linkAddresses(in: index) }
    }

    private mutating func linkAddresses(in first: Int) {
        let whole = tree[first].text
        let bytes = bytes(whole)
        let shift = whole.lowerBound - bytes.startIndex
        let offset = tree[first].offset
        var index = first
        var text = bytes
        var search = text.startIndex
        func range(_ part: Range<Int>) -> Range<Int> {
            part.lowerBound + shift..<part.upperBound + shift
        }
        while let found = EmailAddress.next(in: text, from: search) {
            guard let address = found.range else {
                search = found.searchedTo
                continue
            }
            tree[index].text = range(text.startIndex..<address.lowerBound)
            let destination =
                (found.hasScheme ? "" : "mailto:")
                + String(decoding: text[address], as: UTF8.self)
            let link = tree.insert(node(.link, from: offset, to: destination), after: index)
            _ = tree.append(.init(kind: .text, text: range(address), offset: offset), to: link)
            text = text[address.upperBound...]
            let rest = range(text.startIndex..<text.endIndex)
            index = tree.insert(.init(kind: .text, text: rest, offset: offset), after: link)
            search = text.startIndex
        }
    }
}

/// Where an address ends: punctuation behind it belongs to the sentence around it.
enum AddressEnd {
    static func trimmed(_ input: [UInt8], _ range: Range<Int>) -> Int {
        trimmed(input[...], range)
    }

    static func trimmed(_ input: ArraySlice<UInt8>, _ range: Range<Int>) -> Int {
        var end = range.upperBound
        if let less = input[range].firstIndex(of: UInt8(ascii: "<")) { end = less }
        var opening = 0
        var closing = 0
        for byte in input[range.lowerBound..<end] {
            if byte == UInt8(ascii: "(") { opening += 1 }
            if byte == UInt8(ascii: ")") { closing += 1 }
        }
        while end > range.lowerBound {
            switch input[end - 1] {
            case UInt8(ascii: ")"):
                if closing <= opening { return end }
                closing -= 1
                end -= 1
            case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","),
                UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "'"), UInt8(ascii: "\""):
                end -= 1
            case UInt8(ascii: ";"): end = beforeReference(input, range.lowerBound, end)
            default: return end
            }
        }
        return end
    }

    /// What looks like an entity, `&amp;`, is left out as a whole.
    private static func beforeReference(
        _ input: ArraySlice<UInt8>,
        _ start: Int,
        _ end: Int
    ) -> Int {
        var scan = end - 2
        while scan > start, input[scan].isLetter { scan -= 1 }
        return scan >= start && scan < end - 2 && input[scan] == UInt8(ascii: "&") ? scan : end - 1
    }
}

/// `alice@example.com`, also with `mailto:` or `xmpp:` before it.
enum EmailAddress {
    struct Found {
        /// `nil` where there is an `@` and no address around it.
        var range: Range<Int>?
        var hasScheme = false
        var searchedTo: Int
    }

    static func next(in text: ArraySlice<UInt8>, from start: Int) -> Found? {
        guard let at = text[start...].firstIndex(of: UInt8(ascii: "@")) else { return nil }
        var hasScheme = false
        var isXMPP = false
        var begin = at
        while begin > start {
            let byte = text[begin - 1]
            if byte.isLetterOrDigit || ".+-_".utf8.contains(byte) {
                begin -= 1
            } else if byte == UInt8(ascii: ":"), endsWith("mailto:", text, start, begin) {
                hasScheme = true
                begin -= 1
            } else if byte == UInt8(ascii: ":"), endsWith("xmpp:", text, start, begin) {
                hasScheme = true
                isXMPP = true
                begin -= 1
            } else {
                break
            }
        }
        if begin == at { return Found(searchedTo: at + 1) }
        var end = at + 1
        var dots = 0
        scan: while end < text.endIndex {
            let byte = text[end]
            if byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
            } else if byte == UInt8(ascii: "@") {
                return Found(searchedTo: at + 1)
            } else if byte == UInt8(ascii: "."), end + 1 < text.endIndex,
                text[end + 1].isLetterOrDigit
            {
                dots += 1
            } else if byte != UInt8(ascii: "/") || !isXMPP {
                break scan
            }
            end += 1
        }
        let last = text[end - 1]
        guard end - at >= 2, dots > 0, last.isLetter || last == UInt8(ascii: ".") else {
            return Found(searchedTo: at + 1)
        }
        end = AddressEnd.trimmed(text, at..<end)
        guard end > at else { return Found(searchedTo: at + 1) }
        return Found(range: begin..<end, hasScheme: hasScheme, searchedTo: end)
    }

    private static func endsWith(
        _ scheme: String,
        _ text: ArraySlice<UInt8>,
        _ start: Int,
        _ end: Int
    ) -> Bool {
        let count = scheme.utf8.count
        guard end - start >= count, text[end - count..<end].elementsEqual(scheme.utf8) else {
            return false
        }
        return end - count == start || !text[end - count - 1].isLetterOrDigit
    }
}
