import Markdown

/// A navigation list as HTML, in which the current page can be marked.
final class NavigationList: Sendable {
    /// The maximum number of siblings in a list.
    ///
    /// If each page listed all its siblings, the site would grow with the square of its pages.
    static let blockSize = 200

    let html: [UInt8]
    /// The position after the `href` of each link to a page, by node, in ascending order.
    private let marks: [(node: Int, position: Int)]

    /// - Parameters:
    ///   - path: the open folders, from the root to the section.
    ///   - block: the block of the section's children that is shown.
    init(
        _ view: NavigationView,
        open path: ArraySlice<Int>,
        block: Int,
        _ texts: InterfaceTexts
    ) {
        var writer = NavigationListWriter(view, open: path, block: block, texts)
        writer.write(childrenOf: 0)
        html = writer.html
        marks = writer.marks
    }

    var linkCount: Int { marks.count }

    /// The list on the page of a node.
    func marked(_ node: Int?) -> MarkedList {
        guard let node else { return MarkedList(list: self, mark: nil) }
        var range = 0..<marks.count
        while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
            if marks[middle].node < node {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        let found = range.lowerBound
        let isMarked = found < marks.count && marks[found].node == node
        return MarkedList(list: self, mark: isMarked ? marks[found].position : nil)
    }
}

/// The navigation list of one page.
package struct MarkedList: Sendable {
    private static let attribute = Array(" aria-current=\"page\"".utf8)

    let list: NavigationList
    /// Where the current page is marked.
    let mark: Int?

    var count: Int { list.html.count + (mark == nil ? 0 : Self.attribute.count) }

    package func append(to page: inout [UInt8]) {
        guard let mark else { return page += list.html }
        page += list.html[..<mark]
        page += Self.attribute
        page += list.html[mark...]
    }
}
