/// The elements that are open at a place of the page: those of authors, and Markdown's own.
///
/// Every element that is written is opened here and closed here: by its end tag, by an element that
/// cannot stand in it, or at the latest where the Markdown around it ends. The HTML is always
/// balanced, and browsers build the same tree from it: no nested links or paragraphs, no text in a
/// table outside of its cells.
package struct OpenElements {
    /// An element of Markdown: tags of authors cannot close it.
    private struct Barrier {
        /// How many elements of authors were open around it.
        let floor: Int
        let allowsBlocks: Bool
        let isLink: Bool
    }

    /// Whether an element may stand somewhere.
    package enum Room {
        /// Behind these tags.
        case tags(String)
        case none(HTMLOmission.Reason)
    }

    /// Browsers stop nesting at 512.
    private static let maximumDepth = 64

    /// Of authors, with their end tags.
    private var entries: [(element: SafeElement, end: String)] = []
    private var barriers: [Barrier] = []
    private var linkCount = 0
    /// End tags that stood inside a paragraph, of elements that hold the paragraph.
    private var deferred: [String] = []

    /// Below it, only what the author opened since Markdown's last element.
    private var floor: Int { barriers.last?.floor ?? 0 }

    /// Whether blocks are allowed here; in a paragraph or heading they are not.
    package var allowsBlocks: Bool { barriers.last?.allowsBlocks ?? true }

    /// Whether no text, block or end of Markdown needs a tag of the author's elements before it.
    package var areDone: Bool { deferred.isEmpty && entries.count == floor }

    private func author(_ index: Int) -> SafeElement? {
        guard index >= floor, index < entries.count else { return nil }
        return entries[index].element
    }

    private var top: SafeElement? { author(entries.count - 1) }

    /// Whether words that stand by themselves may become a paragraph.
    package var wantsParagraph: Bool {
        guard allowsBlocks else { return false }
        switch top?.kind {
        case nil, .block: return top?.name != "pre" && top?.name != "summary"
        default: return false
        }
    }

    package init() {}

    // MARK: Markdown's elements

    package mutating func enter(allowsBlocks: Bool) {
        barriers.append(
            Barrier(floor: entries.count, allowsBlocks: allowsBlocks, isLink: false)
        )
    }

    /// Part of a line, in which blocks may stand if they may around it.
    package mutating func enterText() { enter(allowsBlocks: allowsBlocks) }

    /// - Returns: the end tags before the element's own.
    package mutating func leave() -> String {
        let end = areDone ? "" : (allowsBlocks ? closeDeferred() : "") + close(downTo: floor)
        if barriers.popLast()?.isLink == true { linkCount -= 1 }
        return end
    }

    /// - Returns: what goes before the link, or `nil` where there can be none.
    package mutating func enterLink() -> String? {
        var end = ""
        if linkCount > 0, let link = index({ $0.kind == .link }) { end = close(downTo: link) }
        guard linkCount == 0 else {
            enterText()
            return nil
        }
        barriers.append(Barrier(floor: entries.count, allowsBlocks: allowsBlocks, isLink: true))
        linkCount = 1
        return end
    }

    /// - Returns: what goes before a block of Markdown.
    package mutating func makeRoomForBlock(isHeading: Bool) -> String {
        if entries.isEmpty, deferred.isEmpty { return "" }
        var end = closeDeferred()
        let cell = (index { Self.isCell($0.kind) } ?? floor - 1) + 1
        let first = entries.indices[cell...].first { index in
            switch author(index)?.kind {
            case .text, .link, .paragraph, .ruby, .rubyText, .picture: true
            case .heading: isHeading
            default: false
            }
        }
        if let first { end += close(downTo: first) }
        return end + makeRoomForText()
    }

    /// - Returns: the tags of a cell, where text or an element would stand in a table and in no
    ///   cell: browsers move that out, before the table.
    package mutating func makeRoomForText() -> String {
        switch top?.kind {
        case .table, .tableSection:
            return push(.impliedRow, "<tr>") + push(.impliedCell, "<td>")
        case .tableRow: return push(.impliedCell, "<td>")
        case .columnGroup: return close(downTo: entries.count - 1) + makeRoomForText()
        default: return ""
        }
    }

    /// - Returns: end tags that wait for the end of a paragraph.
    package mutating func closeDeferred() -> String {
        let names = deferred
        deferred = []
        return names.reduce("") { $0 + (close(name: $1) ?? "") }
    }

    // MARK: Authors' elements

    /// - Returns: what goes before the element, or why it cannot stand here.
    package mutating func makeRoom(for element: SafeElement) -> Room {
        switch element.kind {
        case .tableSection, .tableRow, .tableCell, .caption, .columnGroup, .column:
            guard let table = index({ $0.kind == .table }) else { return .none(.misplaced) }
            return entries.count < Self.maximumDepth
                ? .tags(makeRoom(forPart: element, of: table)) : .none(.tooDeep)
        case .listItem: return makeRoom(for: element, in: .list)
        case .definition: return makeRoom(for: element, in: .definitionList)
        case .rubyText: return makeRoom(for: element, in: .ruby)
        case .pictureSource:
            return top?.kind == .picture ? .tags("") : .none(.misplaced)
        default: break
        }
        if entries.count >= Self.maximumDepth, !element.isVoid { return .none(.tooDeep) }
        var tags = ""
        if element.kind == .link, linkCount > 0 {
            guard let link = index({ $0.kind == .link }) else { return .none(.misplaced) }
            tags = close(downTo: link)
        }
        if Self.isBlock(element) {
            guard allowsBlocks else { return .none(.misplaced) }
            tags += closeParagraph(before: element)
        }
        return .tags(tags + makeRoomForText())
    }

    /// Opens an element that ``makeRoom(for:)`` allowed.
    ///
    /// - Parameter end: its end tag.
    package mutating func open(_ element: SafeElement, end: String) {
        if element.isVoid { return }
        entries.append((element, end))
        if element.kind == .link { linkCount += 1 }
    }

    /// - Returns: the end tags that an author's end tag stands for, if it closes anything.
    package mutating func close(name: String) -> String? {
        guard let element = SafeElement(name) else { return nil }
        if let index = opener(of: element) { return close(downTo: index) }
        return nil
    }

    /// Keeps an end tag that stands inside a paragraph until the paragraph ends.
    package mutating func deferClose(name: String) {
        if !allowsBlocks, entries.count > 0, deferred.count < Self.maximumDepth {
            deferred.append(name)
        }
    }

    private mutating func push(_ element: SafeElement, _ tag: String) -> String {
        open(element, end: "</\(element.name)>")
        return tag
    }

    private mutating func close(downTo index: Int) -> String {
        var end = ""
        while entries.count > max(index, floor), let (element, tag) = entries.popLast() {
            end += tag
            if element.kind == .link { linkCount -= 1 }
        }
        return end
    }

    /// The innermost of the author's open elements that fits.
    private func index(_ fits: (SafeElement) -> Bool) -> Int? {
        var index = entries.count - 1
        while let element = author(index) {
            if fits(element) { return index }
            index -= 1
        }
        return nil
    }
}

/// The elements that browsers close before another one (HTML Living Standard, from section
/// 13.2.6.4.7 on).
extension OpenElements {
    private static func isCell(_ kind: SafeElement.Kind) -> Bool {
        kind == .tableCell || kind == .caption
    }

    private static func isBlock(_ element: SafeElement) -> Bool {
        switch element.kind {
        case .block, .paragraph, .heading, .list, .definitionList, .table: true
        default: false
        }
    }

    private static func isPartOfTable(_ kind: SafeElement.Kind) -> Bool {
        switch kind {
        case .table, .tableSection, .tableRow, .tableCell, .caption, .columnGroup, .column: true
        default: false
        }
    }

    /// As ``index(_:)``, but not beyond the table or cell that is open.
    private func indexInCell(_ fits: (SafeElement) -> Bool) -> Int? {
        guard let found = index({ fits($0) || Self.isPartOfTable($0.kind) }),
            let element = author(found), fits(element)
        else { return nil }
        return found
    }

    private mutating func closeParagraph(before element: SafeElement) -> String {
        var end = ""
        if let paragraph = indexInCell({ $0.kind == .paragraph }) { end = close(downTo: paragraph) }
        if element.kind == .heading, let heading = indexInCell({ $0.kind == .heading }) {
            end += close(downTo: heading)
        }
        return end
    }

    /// An item of a list, after the one before it.
    private mutating func makeRoom(
        for element: SafeElement,
        in container: SafeElement.Kind
    ) -> Room {
        let found = indexInCell { $0.kind == container || $0.kind == element.kind }
        guard let found, let kind = author(found)?.kind else { return .none(.misplaced) }
        if entries.count >= Self.maximumDepth { return .none(.tooDeep) }
        if kind == element.kind { return .tags(close(downTo: found)) }
        if kind == .ruby { return .tags(close(downTo: found + 1)) }
        let paragraph = indexInCell { $0.kind == .paragraph }
        return .tags(paragraph.map { close(downTo: $0) } ?? "")
    }

    private mutating func makeRoom(forPart element: SafeElement, of table: Int) -> String {
        func last(_ kind: SafeElement.Kind, above start: Int) -> Int? {
            entries.indices[(start + 1)...].first { author($0)?.kind == kind }
        }
        if element.kind == .column {
            if top?.kind == .columnGroup { return "" }
            return close(downTo: table + 1) + push(.impliedColumnGroup, "<colgroup>")
        }
        let section = last(.tableSection, above: table) ?? table
        switch element.kind {
        case .tableRow: return close(downTo: section + 1)
        case .tableCell:
            if let row = last(.tableRow, above: section) { return close(downTo: row + 1) }
            return close(downTo: section + 1) + push(.impliedRow, "<tr>")
        default: return close(downTo: table + 1)
        }
    }

    /// The open element that an end tag closes.
    private func opener(of element: SafeElement) -> Int? {
        switch element.kind {
        case .heading: return indexInCell { $0.kind == .heading }
        case .table: return index { $0.kind == .table }
        case .tableSection, .tableRow, .tableCell, .caption, .columnGroup:
            let found = index { $0.name == element.name || $0.kind == .table }
            return found.flatMap { author($0)?.kind == .table ? nil : $0 }
        default: return indexInCell { $0.name == element.name }
        }
    }
}
