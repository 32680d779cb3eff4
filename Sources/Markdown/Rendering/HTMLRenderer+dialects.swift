import Bytes
import HTML

/// Blocks in the syntax of other tools: admonitions, tabs, definitions, cards.
extension HTMLRenderer {
    // MARK: Blocks that are indented

    mutating func visitDialectContainer(_ node: Block, _ entering: Bool) {
        if entering {
            startLine()
        } else {
            endBlocks(in: node)
            write(text: authorHTML.elements.leave())
        }
        switch node.dialect {
        case .admonition(let admonition):
            if entering {
                begin(admonition, onLine: node.line)
            } else {
                write(text: Self.end(of: admonition))
            }
        case .tab(let title, let offset):
            if entering {
                if !isTab(node.previousSibling) { write("<div class=\"tabs\">\n") }
                write(tab: title, offset, onLine: node.line)
            } else {
                write("</details>\n")
                if !isTab(node.nextSibling) { write("</div>\n") }
            }
        default: break
        }
        if entering { authorHTML.elements.enter(allowsBlocks: true) }
    }

    private func isTab(_ node: Block?) -> Bool {
        guard let node, node.kind == .dialectContainer, case .tab = node.dialect else {
            return false
        }
        return true
    }

    // MARK: Definitions

    /// Whether a paragraph is the term of the definitions below it.
    func isTerm(_ node: Block) -> Bool { node.nextSibling?.isDefinitionList == true }

    mutating func visitDefinitions(_ list: Block, _ entering: Bool) {
        if entering {
            if list.previousSibling?.kind != .paragraph { write("<dl>\n") }
        } else {
            // The term of more definitions may follow.
            let next = list.nextSibling
            if next?.kind != .paragraph || next?.nextSibling?.isDefinitionList != true {
                write("</dl>\n")
            }
        }
    }

    mutating func visitDefinition(_ item: Block, _ entering: Bool) {
        if entering {
            startLine()
            write("<dd>")
            authorHTML.elements.enter(allowsBlocks: true)
        } else {
            endBlocks(in: item)
            write(text: authorHTML.elements.leave())
            write("</dd>\n")
        }
    }

    mutating func beginTerm(_ node: Block) {
        startLine()
        beginDefinitions(of: node)
        write("<dt>")
    }

    mutating func beginDefinitions(of term: Block) {
        if term.previousSibling?.isDefinitionList != true { write("<dl>\n") }
    }

    // MARK: Blocks that end with a line of their own

    mutating func visitDialectLine(_ node: Block) {
        let container = node.parent
        switch node.dialect {
        case .admonition(let card) where blocks.innermost(in: container) == .cards:
            beginItem(of: "ul", card, onLine: node.line)
            enterBlock(.admonition, in: container, end: Self.end(ofItem: "ul"))
        case .step(let step):
            beginItem(of: "ol", step, onLine: node.line)
            enterBlock(.step, in: container, end: Self.end(ofItem: "ol"))
        case .end(.step): end(.step, in: container)
        // The steps of another list begin anew.
        case .begin(.division): itemEnd = -1
        case .code(let attributes): codeAttributes = String(decoding: attributes, as: UTF8.self)
        case .end(.code): codeAttributes = nil
        case .admonition(let admonition):
            startLine()
            begin(admonition, onLine: node.line)
            enterBlock(.admonition, in: container, end: Self.end(of: admonition))
        case .figure(let figure): write(figure, node)
        case .frame(let frame):
            startLine()
            write("<p>")
            openImage(frame.address, node.range, isFrame: true)
            escape(Array(frame.title))
            closeImage("", node.range)
            write("</p>\n")
        case .texts(let texts, let address):
            let isCard = blocks.innermost(in: container) == .cards
            if isCard { beginItem(of: "ul") }
            write(texts, address, node)
            if isCard { write(text: Self.end(ofItem: "ul")) }
            itemEnd = output.html.count
        case .link(let address): linkAddress = address
        case .end(.link):
            if let address = linkAddress { write([Array(address.utf8)[...]], address, node) }
            linkAddress = nil
        case .begin(.cards):
            startLine()
            write("<div class=\"cards\">\n")
            enterBlock(.cards, in: container, end: "</div>\n")
        case .component, .begin(.component), .begin(.frame):
            lists.note(.componentTag, line: node.line, column: node.column)
        case .begin(.codeGroup):
            if !blocks.isInCodeGroup(container) { enterBlock(.codeGroup, in: container, end: "") }
        case .end(.codeGroup):
            endTabs(in: container)
            if blocks.innermost(in: container) == .codeGroup { endBlock() }
        case .end(.tabs): endTabs(in: container)
        case .end(.box), .end(.details): end(.admonition, in: container)
        case .end(.cards): end(.cards, in: container)
        case .tab(let title, let offset):
            let isFirst = beginTab(in: container)
            write(tab: title, offset, onLine: node.line)
            enterTab(in: container, isFirst: isFirst)
        case .begin, .end, .definition, .abbreviation, nil: break
        }
    }

    /// Ends the tab before, or begins a group of tabs; the tab's title comes next, and then
    /// ``enterTab(in:isFirst:)``.
    ///
    /// - Returns: whether the tab is the first one of a group.
    mutating func beginTab(in container: Block?) -> Bool {
        let isFirst = blocks.innermost(in: container) != .tabs
        if !isFirst { write(text: authorHTML.elements.leave()) }
        startLine()
        isFirst ? write("<div class=\"tabs\">\n") : write("</details>\n")
        return isFirst
    }

    mutating func enterTab(in container: Block?, isFirst: Bool) {
        if isFirst {
            enterBlock(.tabs, in: container, end: "</details>\n</div>\n")
        } else {
            authorHTML.elements.enter(allowsBlocks: true)
        }
    }

    private mutating func enterBlock(_ kind: OpenBlocks.Kind, in node: Block?, end: String) {
        blocks.open(kind, in: node, end: end)
        authorHTML.elements.enter(allowsBlocks: true)
    }

    /// Ends the innermost block of a kind, and what is open in it.
    private mutating func end(_ kind: OpenBlocks.Kind, in container: Block?) {
        guard blocks.contains(kind, in: container) else { return }
        while blocks.innermost(in: container) != kind { endBlock() }
        endBlock()
    }

    private mutating func endBlock() {
        write(text: authorHTML.elements.leave())
        startLine()
        write(text: blocks.close())
        itemEnd = output.html.count
    }

    /// Ends the innermost block of a container, if that is a group of tabs.
    ///
    /// - Returns: whether it was one.
    @discardableResult
    mutating func endTabs(in container: Block?) -> Bool {
        guard blocks.innermost(in: container) == .tabs else { return false }
        endBlock()
        return true
    }

    /// Ends all blocks of a container that ends.
    mutating func endBlocks(in container: Block?) {
        while blocks.innermost(in: container) != nil { endBlock() }
    }

    // MARK: What they begin and end with

    /// Writes the beginning of an admonition, with its title.
    mutating func begin(
        _ admonition: Admonition,
        onLine line: Int = 1,
        title: LeafText? = nil
    ) {
        let isFolded = admonition.fold != .none
        write(isFolded ? "<details class=\"" : "<div class=\"")
        write("markdown-alert markdown-alert-")
        write(text: admonition.look)
        if let kind = admonition.ownKind { write(text: " author-\(kind)") }
        write("\"")
        if admonition.fold == .open { write(" open") }
        write(">\n")
        var title = title
        if title == nil, let own = admonition.title {
            if own.bytes.isEmpty, !isFolded { return }
            if !own.bytes.isEmpty { title = text(own.bytes, own.offset, onLine: line) }
        }
        write(isFolded ? "<summary class=\"" : "<p class=\"")
        write("markdown-alert-title\">")
        if let title {
            write(title, linkedTo: admonition.address)
        } else if admonition.ownKind != nil {
            write(text: HTMLText.escape(admonition.name))
        } else {
            write(text: options.html(admonition.name))
        }
        write(isFolded ? "</summary>\n" : "</p>\n")
    }

    static func end(of admonition: Admonition) -> String {
        admonition.fold == .none ? "</div>\n" : "</details>\n"
    }

    /// Writes a title, as a link if there is an address.
    private mutating func write(_ title: LeafText, linkedTo address: String?) {
        let place = title.location(at: 0)
        let range = SourceRange(line: place.line, column: place.column)
        if let address, enterLink(range) { openLink(address, "", range) }
        write(inlinesOf: title)
        if address != nil, leaveLink() { write("</a>") }
    }

    private static func end(ofItem list: String) -> String { "</li>\n</\(list)>\n" }

    /// Begins a card or a step, an item of a list; the one before has left the list.
    private mutating func beginItem(
        of list: String,
        _ item: Admonition? = nil,
        onLine line: Int = 1
    ) {
        startLine()
        let end = Self.end(ofItem: list).utf8
        let isNext =
            output.html.count == itemEnd && output.html.suffix(end.count).elementsEqual(end)
        isNext ? output.html.removeLast(list.utf8.count + 4) : write(text: "<\(list)>\n")
        write("<li>\n")
        guard let item, let title = item.title else { return }
        write(text: item.address == nil ? "<p><strong>" : "<p>")
        write(text(title.bytes, title.offset, onLine: line), linkedTo: item.address)
        write(text: item.address == nil ? "</strong></p>\n" : "</p>\n")
    }

    /// Writes the texts of a component, of which the first one is the link.
    private mutating func write(
        _ texts: [ArraySlice<UInt8>],
        _ address: String?,
        _ node: Block
    ) {
        startLine()
        for (index, text) in texts.enumerated() {
            let address = index == 0 ? address : nil
            write("<p>")
            if let address, enterLink(node.range) {
                openLink(address, "", node.range)
            }
            escape(Array(text))
            write(address != nil && leaveLink() ? "</a></p>\n" : "</p>\n")
        }
    }

    private mutating func write(_ figure: DialectFigure, _ node: Block) {
        startLine()
        write("<figure>\n")
        let address = String(decoding: figure.source, as: UTF8.self)
        openImage(address, node.range, figure.look)
        escape(Array(figure.alternative))
        closeImage("", node.range)
        if !figure.caption.isEmpty {
            write("\n<figcaption>")
            write(inlinesOf: text(Array(figure.caption), 0, onLine: node.line))
            write("</figcaption>")
        }
        write("\n</figure>\n")
    }

    mutating func write(tab title: [UInt8], _ offset: Int, onLine line: Int) {
        write("<details open>\n<summary>")
        write(inlinesOf: text(title, offset, onLine: line))
        write("</summary>\n")
    }

    /// - Parameter offset: where the text begins behind the marks of containers.
    private func text(_ bytes: [UInt8], _ offset: Int, onLine line: Int) -> LeafText {
        var text = LeafText()
        text.append(bytes[...], line: line, column: offset + 1)
        return text
    }
}
