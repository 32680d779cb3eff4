import Bytes
import HTML

/// HTML that is not trusted: harmless elements are written anew, all others are left out.
extension HTMLRenderer {
    mutating func write(tokensOf html: [UInt8], _ location: Places) {
        var tokenizer = HTMLTokenizer(html)
        var hidesText = false
        while let token = tokenizer.next() {
            switch token {
            case .startTag(let tag):
                let isShown = write(tag, html[tag.range], location)
                hidesText = !isShown && KnownElement.hidesContent(tag.name)
            case .endTag(let name, let range): write(endTag: name, html[range])
            case .text(let range):
                write(authorText: Array(HTMLAttributeText.decoded(html[range]).utf8))
            case .rawText(let range):
                if !hidesText { write(authorText: Array(html[range])) }
            case .comment(let range, let isClosed):
                let source = html[range]
                if !source.starts(with: "<!--".utf8) {
                    find(.declaration, Self.mark(of: source), at: location(range.lowerBound))
                } else if !isClosed {
                    find(.unclosed, "!--", at: location(range.lowerBound))
                }
            }
        }
    }

    /// How a declaration begins, without `<`.
    private static func mark(of source: ArraySlice<UInt8>) -> String {
        let words = source.dropFirst()
        if words.starts(with: "![CDATA[".utf8) { return "![CDATA[" }
        let name = words.dropFirst().prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
        return String(decoding: words[words.startIndex..<name.endIndex], as: UTF8.self)
    }

    // MARK: Start tags

    /// - Returns: whether the tag is shown as text.
    private mutating func write(
        _ tag: HTMLTag,
        _ source: ArraySlice<UInt8>,
        _ location: Places
    ) -> Bool {
        if let whole = authorHTML.whole {
            if tag.name == whole.name { authorHTML.whole?.depth += 1 }
            if tag.name == "source", let (player, start) = authorHTML.player,
                write(frame: player, source: tag, start)
            {
                authorHTML.player = nil
            }
            leaveOut(tag)
            return false
        }
        if leaveOut(component: tag, source, location) { return false }
        if isText(tag, source, location) {
            lists.droppedAnchors += tag.anchors
            write(authorText: Array(source))
            return true
        }
        // The name of an icon stands for its picture.
        if tag.name == "i", options.borrowedBlocks, tag.isIcon {
            authorHTML.whole = (tag.name, 1)
            authorHTML.isInPlayer = true
            return false
        }
        writeElement(tag, location)
        return false
    }

    /// Leaves out the tag of a component of another tool; a text in its attributes stays.
    ///
    /// - Returns: whether it is one. A tag with the name of a harmless element is that element, in
    ///   capitals.
    private mutating func leaveOut(
        component tag: HTMLTag,
        _ source: ArraySlice<UInt8>,
        _ location: Places
    ) -> Bool {
        guard options.borrowedBlocks, SafeElement(tag.name) == nil,
            HTMLTagScanner.isComponent(String(decoding: source, as: UTF8.self))
                || isBeginning(ofComponent: tag, source)
        else { return false }
        let (line, column) = location(tag.range.lowerBound)
        lists.droppedAnchors += tag.anchors
        let isWhole = source.dropLast().last == UInt8(ascii: "/")
        let address = tag.attributes.first {
            NamedBlock.addressKeys.contains($0.name) && NamedBlock.isAddress($0.value)
        }
        let isLink = address != nil && options.rawHTML == .safe
        if let address, isLink { writeElement(tag.link(to: address), location) }
        if !isLink { lists.note(.componentTag, line: line, column: column) }
        if isLink, !isWhole {
            authorHTML.links.insert(tag.name)
        } else if !isWhole {
            authorHTML.omitted.insert(tag.name)
        }
        defer { if isLink, isWhole { write(text: authorHTML.elements.close(name: "a") ?? "") } }
        for attribute in tag.attributes where NamedBlock.textKeys.contains(attribute.name) {
            if attribute.value.isEmpty || attribute.value.hasPrefix("{") { continue }
            write(authorText: Array(attribute.value.utf8))
        }
        return true
    }

    /// Whether the tag is text: a component of another tool, or words in angle brackets.
    ///
    /// Such a tag is shown as it was written, and reported.
    private mutating func isText(
        _ tag: HTMLTag,
        _ source: ArraySlice<UInt8>,
        _ location: Places
    ) -> Bool {
        let (line, column) = location(tag.range.lowerBound)
        let isWords = tag.isWords
        if isWords, !tag.attributes.allSatisfy({ ValuelessAttribute.isKnown($0.name) }),
            KnownElement.isKnown(tag.name)
        {
            authorHTML.placeholders[tag.name, default: 0] += 1
            let words = tag.attributes.map(\.name)
            find(.placeholder, tag.name, attributes: words, at: (line, column))
            return true
        }
        // A tag with the name of a harmless element is that element, in capitals.
        if !options.commonMarkOnly, SafeElement(tag.name) == nil,
            HTMLTagScanner.isComponent(String(decoding: source, as: UTF8.self))
        {
            if KnownElement.isKnown(tag.name) { authorHTML.components.insert(tag.name) }
            lists.note(.component, line: line, column: column)
            return true
        }
        if KnownElement.isKnown(tag.name) { return false }
        let words = isWords ? tag.attributes.map(\.name) : []
        find(.unknown, tag.name, attributes: words, at: (line, column))
        return true
    }

    private mutating func writeElement(_ tag: HTMLTag, _ location: Places) {
        let known = SafeElement(tag.name)
        guard let known, options.rawHTML == .safe, !options.commonMarkOnly else {
            return write(refused: tag, isSafe: known != nil, location)
        }
        // `<a>` without an address is no link, and is allowed in a link.
        let isAnchor = known.kind == .link && !tag.attributes.contains { $0.name == "href" }
        guard let element = isAnchor ? SafeElement("span") : known else { return }
        switch authorHTML.elements.makeRoom(for: element) {
        case .none(let reason):
            find(reason, tag.name, at: location(tag.range.lowerBound))
            leaveOut(tag)
        case .tags(let tags):
            write(text: tags)
            if isAnchor { return write(anchor: tag, location) }
            write(element, tag, location)
        }
    }

    private mutating func write(_ element: SafeElement, _ tag: HTMLTag, _ location: Places) {
        let isBoxed = element.kind == .table && options.themed
        write(text: isBoxed ? "<div class=\"table\">\n<\(element.name)" : "<\(element.name)")
        var refused: [String] = []
        if let id = takeID(of: tag, location) { write(text: " id=\"\(HTMLText.escape(id))\"") }
        for attribute in tag.attributes {
            // 'markdown="1"' says what the block parser knows.
            if attribute.name == "id" || (attribute.name == "name" && element.kind == .link)
                || ["markdown", "data-mention"].contains(attribute.name)
            {
                continue
            }
            guard SafeAttribute.isAllowed(attribute, on: element) else {
                refused.append(attribute.name)
                continue
            }
            write(text: " \(attribute.name)=")
            if let pieces = HTMLReference.pieces(tag.name, attribute) {
                write(pieces, attribute, location)
            } else {
                write(text: "\"\(HTMLText.escape(SafeAttribute.written(attribute)))\"")
            }
        }
        element.isVoid ? write(" />") : write(">")
        if options.borrowedBlocks, tag.attributes.contains(where: { $0.name == "data-mention" }),
            let href = tag.attributes.first(where: { $0.name == "href" })
        {
            let (line, column) = location(href.start)
            mention = (output.html.count, href.value, SourceRange(line: line, column: column))
        }
        authorHTML.elements.open(element, end: "</\(element.name)>" + (isBoxed ? "\n</div>" : ""))
        authorHTML.wroteTag = true
        authorHTML.gap = nil
        if !refused.isEmpty {
            find(.needsTrust, tag.name, attributes: refused, at: location(tag.range.lowerBound))
        }
    }

    private mutating func write(anchor tag: HTMLTag, _ location: Places) {
        guard let id = takeID(of: tag, location) else { return }
        write(text: "<span id=\"\(HTMLText.escape(id))\"></span>")
        authorHTML.wroteTag = true
    }

    /// The id of the element, unless another element of the page has it.
    private mutating func takeID(of tag: HTMLTag, _ location: Places) -> String? {
        var taken: String?
        for name in tag.anchors {
            let id = AuthorAnchor.id(name)
            if let id, taken == nil, authorHTML.ids.insert(id).inserted {
                lists.anchors.append(id)
                taken = id
            } else if let id, id != taken, authorHTML.ids.contains(id) {
                find(
                    .repeatedID,
                    tag.name,
                    attributes: [name],
                    at: location(tag.range.lowerBound)
                )
            } else if id != taken || id == nil {
                lists.droppedAnchors.append(name)
            }
        }
        return taken
    }

    /// A tag of an element that is not allowed.
    private mutating func write(refused tag: HTMLTag, isSafe: Bool, _ location: Places) {
        let start = location(tag.range.lowerBound)
        if options.rawHTML == .safe, ["iframe", "video", "audio"].contains(tag.name) {
            let isPlayer = tag.name != "iframe"
            if isPlayer { authorHTML.whole = (tag.name, 1) }
            if write(frame: tag, source: tag, start) { return }
            if isPlayer {
                authorHTML.player = (tag, start)
                return leaveOut(tag)
            }
        }
        let reason: HTMLOmission.Reason =
            KnownElement.isBlocked(tag.name) ? .needsPolicy : .needsTrust
        find(isSafe ? .needsSafe : reason, tag.name, at: start)
        if !isSafe, KnownElement.isWhole(tag.name) { authorHTML.whole = (tag.name, 1) }
        leaveOut(tag)
    }

    /// Tells that nothing could be played, and shows text again.
    mutating func endPlayer() {
        authorHTML.isInPlayer = false
        guard let (tag, start) = authorHTML.player else { return }
        authorHTML.player = nil
        find(.needsTrust, tag.name, at: start)
    }

    /// Writes a link in the place of a frame, or a player.
    ///
    /// - Parameter source: the tag with the address.
    private mutating func write(
        frame tag: HTMLTag,
        source: HTMLTag,
        _ start: (line: Int, column: Int)
    ) -> Bool {
        guard let src = source.attributes.first(where: { $0.name == "src" }),
            case .address(let address, _) = HTMLReference.pieces(source.name, src)?.first,
            !address.isEmpty, !HTMLText.isDangerous(address)
        else { return false }
        lists.droppedAnchors += tag.anchors
        let isBlock = authorHTML.elements.wantsParagraph
        if isBlock { write("<p>") } else { write(text: authorHTML.elements.makeRoomForText()) }
        let range = SourceRange(line: start.line, column: start.column)
        let size = tag.attributes.filter { ["width", "height"].contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        openImage(address, range, ImageLook(attributes: size), isFrame: true)
        var title = tag.attributes.first { ["title", "aria-label"].contains($0.name) }?.value
        // Its name says more than nothing to who cannot see a film.
        if title == nil, case .player = embedding {
            title = address.split(separator: "/").last.map(String.init)
        }
        escape(Array((title ?? "").utf8))
        closeImage("", range)
        if isBlock { write("</p>") }
        authorHTML.wroteTag = true
        authorHTML.omitted.insert(tag.name)
        authorHTML.isInPlayer = authorHTML.whole != nil
        return true
    }

    private mutating func leaveOut(_ tag: HTMLTag) {
        lists.droppedAnchors += tag.anchors
        leaveGap(tag.name)
    }

    // MARK: End tags and text

    private mutating func write(endTag name: String, _ source: ArraySlice<UInt8>) {
        if let whole = authorHTML.whole {
            if name == whole.name { authorHTML.whole?.depth -= 1 }
            if authorHTML.whole?.depth == 0 {
                authorHTML.whole = nil
                endPlayer()
            }
            return leaveGap(name)
        }
        let name = authorHTML.links.contains(name) ? "a" : name
        if authorHTML.omitted.contains(name) { return }
        if !KnownElement.isKnown(name) || authorHTML.components.contains(name) {
            return write(authorText: Array(source))
        }
        guard options.rawHTML == .safe, !options.commonMarkOnly,
            let end = authorHTML.elements.close(name: name)
        else {
            if let count = authorHTML.placeholders[name], count > 0 {
                authorHTML.placeholders[name] = count - 1
                return write(authorText: Array(source))
            }
            authorHTML.elements.deferClose(name: name)
            return leaveGap(name)
        }
        if name == "a" { endMention() }
        write(text: end)
        authorHTML.wroteTag = true
        authorHTML.gap = nil
    }

    private mutating func write(authorText text: [UInt8]) {
        if authorHTML.isInPlayer { return }
        if !text.allSatisfy(\.isWhitespace) { write(text: authorHTML.elements.makeRoomForText()) }
        closeGap(before: text.first)
        HTMLText.escape(text.span, into: &output.html)
    }

    // MARK: Gaps

    /// Notes that a tag was left out, perhaps between two words.
    private mutating func leaveGap(_ name: String) {
        guard !KnownElement.joinsWords(name), let last = output.html.last, !last.isWhitespace
        else { return }
        let isBreak = KnownElement.breaksLine(name)
        // A word may stand before an end tag, but not before a start tag.
        if last == UInt8(ascii: ">") {
            let less = output.html.suffix(16).lastIndex(of: UInt8(ascii: "<"))
            guard let less, output.html[less...].dropFirst().first == UInt8(ascii: "/") else {
                return
            }
        } else if !isBreak, !last.isPartOfWord {
            return
        }
        let wasBreak =
            authorHTML.gap?.offset == output.html.count && authorHTML.gap?.isBreak == true
        authorHTML.gap = (outerOutputs.count, output.html.count, isBreak || wasBreak)
    }

    /// Writes a space into the gap, if a word follows.
    mutating func closeGap(before next: UInt8?) {
        guard let gap = authorHTML.gap, let next else { return }
        authorHTML.gap = nil
        guard gap.output == outerOutputs.count, gap.isBreak ? !next.isWhitespace : next.isPartOfWord
        else { return }
        output.insert(CollectionOfOne(UInt8.space), at: gap.offset)
    }

    // MARK: Links of Markdown

    /// - Returns: whether the link can be written: it cannot inside a link of HTML.
    mutating func enterLink(_ sourceRange: SourceRange) -> Bool {
        let end = enterAnchor()
        authorHTML.writtenLinks.append(end != nil)
        if end == nil { find(.misplaced, "a", at: (sourceRange.line, sourceRange.column)) }
        write(text: end ?? "")
        return end != nil
    }

    /// - Returns: what goes before an element `<a>` of Markdown, or `nil` where there can be none.
    mutating func enterAnchor() -> String? {
        if options.takesHTMLApart { return authorHTML.elements.enterLink() }
        authorHTML.elements.enterText()
        return ""
    }

    /// - Returns: whether the link was written.
    mutating func leaveLink() -> Bool {
        write(text: authorHTML.elements.leave())
        return authorHTML.writtenLinks.popLast() ?? true
    }

    // MARK: Diagnostics

    mutating func find(
        _ reason: HTMLOmission.Reason,
        _ element: String,
        attributes: [String] = [],
        at location: (line: Int, column: Int)
    ) {
        let omission = HTMLOmission(reason, element, attributes: attributes)
        // A table of a hundred rows has the same mistake a hundred times.
        guard authorHTML.told.insert(omission).inserted else { return }
        find(.rawHTML(omission), SourceRange(line: location.line, column: location.column))
    }
}
