import Bytes
import HTML

/// Links, images and references to footnotes: what brackets begin and end.
extension InlineParser {
    mutating func openBracket(width: Int, isNote: Bool = false) {
        let node = append(.text, position..<position + width, from: position)
        position += width
        let outer = brackets.last
        if !brackets.isEmpty { brackets[brackets.count - 1].hasBracketAfter = true }
        brackets.append(
            Bracket(
                node: node,
                position: position,
                isImage: width == 2 && !isNote,
                isNote: isNote,
                isInLink: width == 1 || outer?.isInLink == true,
                isInImage: width == 2 && !isNote || outer?.isInImage == true
            )
        )
    }

    /// `[[Page]]`, `[[Page#heading|label]]`, `![[picture.png|200]]`; a reference link in brackets
    /// goes before.
    ///
    /// Another embedded file is a link to it. `[[1]](file.md)` is a link whose text has brackets.
    mutating func parseWikiLink() -> Bool {
        let isEmbed = byte(position) == UInt8(ascii: "!")
        let start = isEmbed ? position + 1 : position
        guard options.wikiLinks, byte(start) == UInt8(ascii: "["), brackets.isEmpty,
            let (inside, end) = LinkLabels.label(input, at: start + 1),
            byte(end) == UInt8(ascii: "]"), !inside.isEmpty,
            !inside.contains(where: \.isLineEnd), labels[inside] == nil,
            byte(end + 1) != UInt8(ascii: "("), !isEmbed || byte(end + 1) != UInt8(ascii: "[")
        else { return false }
        let parts = inside.split(separator: UInt8(ascii: "|"), maxSplits: 1)
        guard let first = parts.first else { return false }
        let name = String(decoding: first, as: UTF8.self)
        // What follows on '#' is for style sheets.
        let file = name.split(separator: "#").first ?? ""
        let isPicture = isEmbed && Self.isPicture(file)
        var link = node(
            isPicture ? .image : .wikiLink,
            from: position,
            to: isPicture ? "doc:\(file)" : name
        )
        link.end = end + 1
        let index = tree.append(link)
        let label = isPicture ? keep(pictureLabel(parts)) : parts[parts.count - 1].indices
        _ = tree.append(.init(kind: .text, text: label, offset: position), to: index)
        if isPicture { takeSize(ofImage: index, address: link.address) }
        position = end + 1
        return true
    }

    private static func isPicture(_ name: Substring) -> Bool {
        let ending = name.lowercased().split(separator: ".").last ?? ""
        let pictures = ["avif", "bmp", "gif", "jpeg", "jpg", "png", "svg", "webp"]
        return Embedding.player(name) != nil || pictures.contains { $0 == ending }
    }

    /// The alternative text and the size: the name of the file stands for a missing text.
    private func pictureLabel(_ parts: [ArraySlice<UInt8>]) -> ArraySlice<UInt8> {
        let file = parts[0].split(separator: UInt8(ascii: "/")).last ?? parts[0]
        let name = file.prefix(upTo: file.lastIndex(of: UInt8(ascii: ".")) ?? file.endIndex)
        guard let label = parts.dropFirst().first else { return name }
        return ImageLook(size: String(decoding: label, as: UTF8.self)) == nil
            ? label : name + [UInt8(ascii: "|")] + label
    }

    mutating func closeBracket() {
        let start = position
        position += 1
        guard let opener = brackets.last else { return closeAsText(start) }
        if opener.isNote {
            close(opener, InlineTree.Node(kind: .note, offset: tree[opener.node].offset))
            return popBracket()
        }
        if !opener.isImage, brackets.count <= bracketsBeforeLink {
            return leave(start)
        }
        if let link = inlineLink(after: start + 1, isImage: opener.isImage) {
            position = link.end
            return close(
                opener,
                destination: link.destination,
                title: link.title,
                look: link.look
            )
        }
        var label = label(at: start + 1)
        if let label { position = label.end }
        if label == nil || label?.text.isEmpty == true, !opener.hasBracketAfter {
            label = (input[opener.position..<start], position)
        }
        if let text = label?.text, let found = labels[text] {
            return close(opener, destination: found.destination, title: found.title)
        }
        position = start + 1
        if closeFootnoteReference(opener, end: start) { return }
        leave(start)
    }

    /// Leaves a bracket as text, for which there is an opening one.
    private mutating func leave(_ start: Int) {
        if "([".utf8.contains(byte(start + 1) ?? 0) { leftovers.insert(start) }
        popBracket()
        closeAsText(start)
    }

    private mutating func closeAsText(_ start: Int) {
        append(.text, start..<start + 1, from: start)
    }

    private mutating func close(
        _ opener: Bracket,
        destination: String,
        title: String,
        look: ImageLook? = nil
    ) {
        let kind = opener.isImage ? InlineTree.Kind.image : .link
        let link = node(kind, from: tree[opener.node].offset, to: destination, title: title)
        if let look { looks[link.address] = look }
        if opener.isImage { readLook(ofAddress: link.address) }
        let index = close(opener, link)
        if opener.isImage { takeSize(ofImage: index, address: link.address) }
        popBracket()
        if !opener.isImage { bracketsBeforeLink = brackets.count }
    }

    /// Makes a node of what stands between the brackets.
    @discardableResult
    private mutating func close(_ opener: Bracket, _ node: InlineTree.Node) -> Int {
        let index = tree.insert(node, after: opener.node)
        tree[index].end = position
        tree.move(after: index, before: nil, into: index)
        tree.remove(opener.node)
        pairDelimiters(from: opener.position)
        return index
    }

    private mutating func popBracket() {
        brackets.removeLast()
        bracketsBeforeLink = min(bracketsBeforeLink, brackets.count)
    }

    /// `[^label]`; whether there is such a footnote is seen later.
    private mutating func closeFootnoteReference(_ opener: Bracket, end: Int) -> Bool {
        guard isExtended, input[opener.position..<end].first == UInt8(ascii: "^"),
            end > opener.position + 1
        else { return false }
        let reference = InlineTree.Node(
            kind: .footnoteReference,
            text: opener.position + 1..<end,
            offset: tree[opener.node].offset,
            end: end + 1
        )
        let node = tree.insert(reference, after: opener.node)
        pairDelimiters(from: opener.position)
        // What was found between the brackets is the label and nothing else.
        tree.removeAll(after: node)
        tree.remove(opener.node)
        popBracket()
        return true
    }

    /// A destination and a title in parentheses.
    private mutating func inlineLink(
        after start: Int,
        isImage: Bool
    ) -> (destination: String, title: String, look: ImageLook?, end: Int)? {
        guard byte(start) == UInt8(ascii: "(") else { return nil }
        var scan = skipSpaces(start + 1)
        let template = isExtended ? TemplateAddress.scan(input, at: scan) : nil
        guard let destination = LinkDestination.scan(input, at: scan, behind: template?.end) else {
            return nil
        }
        if let template { templateAddresses.append(scan..<template.end) }
        let afterDestination = destination.end
        scan = skipSpaces(afterDestination)
        var title = ""
        // A title is separated from the destination.
        if scan > afterDestination, let end = endOfTitle(at: scan) {
            title = CharacterReference.resolved(input[scan + 1..<end - 1], escapes: true)
            scan = skipSpaces(end)
        }
        var look: ImageLook?
        if isImage, scan > afterDestination, let size = imageSize(at: scan) {
            look = size.look
            scan = skipSpaces(size.end)
        }
        guard byte(scan) == UInt8(ascii: ")") else { return nil }
        let url = destination.text.trimmed(where: \.isWhitespace)
        let text = CharacterReference.resolved(url, escapes: true)
        return ((template?.address ?? "") + text, title, look, scan + 1)
    }

    private func skipSpaces(_ start: Int) -> Int {
        var scan = start
        while let next = byte(scan), next.isWhitespace { scan += 1 }
        return scan
    }

    private mutating func endOfTitle(at start: Int) -> Int? {
        guard let open = byte(start), "\"'(".utf8.contains(open) else { return nil }
        let close = open == UInt8(ascii: "(") ? UInt8(ascii: ")") : open
        // As libcmark has it: an escaped end is one if no other follows.
        if let last = escapedTitleEnds[close] { return last > start + 1 ? last + 1 : nil }
        var escaped = -1
        for scan in input.indices[(start + 1)...] {
            let isEscaped = scan > start + 1 && input[scan - 1] == UInt8(ascii: "\\")
            if input[scan] == close {
                if !isEscaped { return scan + 1 }
                escaped = scan
            } else if input[scan] == open, !isEscaped {
                return nil
            }
        }
        escapedTitleEnds[close] = escaped
        return escaped > 0 ? escaped + 1 : nil
    }

    /// A link label in brackets (CommonMark 0.30, section 4.7).
    private func label(at start: Int) -> (text: ArraySlice<UInt8>, end: Int)? {
        LinkLabels.label(input, at: start)
    }
}

/// The destination of a link (CommonMark 0.30, section 6.3).
enum LinkDestination {
    /// - Parameter tags: where tags end that are the beginning of the address.
    static func scan(
        _ input: [UInt8],
        at start: Int,
        behind tags: Int? = nil
    ) -> (text: ArraySlice<UInt8>, end: Int)? {
        let start = tags ?? start
        guard start < input.count else { return nil }
        if tags != nil, input[start].isWhitespace { return (input[start..<start], start) }
        return input[start] == UInt8(ascii: "<") ? bracketed(input, start) : bare(input, start)
    }

    private static func bracketed(
        _ input: [UInt8],
        _ start: Int
    ) -> (text: ArraySlice<UInt8>, end: Int)? {
        var scan = start + 1
        while scan < input.count {
            switch input[scan] {
            case UInt8(ascii: ">"):
                return scan + 1 < input.count ? (input[start + 1..<scan], scan + 1) : nil
            case UInt8(ascii: "\\"): scan += 2
            case .newline, .carriageReturn, UInt8(ascii: "<"): return nil
            default: scan += 1
            }
        }
        return nil
    }

    private static func bare(
        _ input: [UInt8],
        _ start: Int
    ) -> (text: ArraySlice<UInt8>, end: Int)? {
        var scan = start
        var depth = 0
        while scan < input.count {
            let byte = input[scan]
            if byte == UInt8(ascii: "\\"), scan + 1 < input.count, input[scan + 1].isPunctuation {
                scan += 2
                continue
            }
            if byte == UInt8(ascii: "(") {
                depth += 1
                // libcmark's limit, which keeps this linear.
                if depth > 32 { return nil }
            } else if byte == UInt8(ascii: ")") {
                if depth == 0 { break }
                depth -= 1
            } else if byte.isWhitespace || byte < 0x20 || byte == 0x7F {
                if scan == start { return nil }
                break
            }
            scan += 1
        }
        return scan < input.count && depth == 0 ? (input[start..<scan], scan) : nil
    }
}
