import SourceFolder

/// The pages of a site below their folders, or below what the site's outline nests them in.
///
/// The children of a node are in the order of their URLs, until they are sorted.
struct FolderTree {
    struct Node {
        /// Empty for a heading of the outline.
        let url: String
        /// The path of the page's file without its extension, or of the folder.
        fileprivate(set) var path: Substring
        /// The index of the page; `nil` for a folder without one, and for a heading.
        fileprivate(set) var page: Int?
        fileprivate(set) var parent: Int
        /// The index of the item in the outline.
        ///
        /// Pages nested below it may have URLs that do not contain its name.
        fileprivate(set) var item: Int?
        /// The address of another site.
        var address: String?
    }

    /// The root is the first.
    private(set) var nodes = [Node(url: "/", path: "", page: nil, parent: 0)]
    private var childRanges: [Range<Int>] = []
    private var allChildren: [Int] = []

    init(_ site: Site, _ outline: NavigationOutline?) {
        nodes.reserveCapacity(site.pages.count + 1)
        // Pages are sorted by URL, so those of a folder come one after the other.
        var open = [(node: 0, length: 1)]
        var previous = "/"
        for page in site.pages.indices {
            let url = site.pages[page].url
            let path = Self.path(of: site.pages[page].file.path)
            let shared = Self.sharedLength(previous, url)
            while open.count > 1, open[open.count - 1].length > shared { open.removeLast() }
            let bytes = url.utf8.span
            for position in open[open.count - 1].length..<max(bytes.count, 1)
            where bytes[position] == UInt8(ascii: "/") {
                let folder = String(Substring(url.utf8.prefix(position + 1)))
                // Mostly a file and its URL have the same folders.
                let above = position + 1 == bytes.count ? path : Self.prefix(of: path, open.count)
                let parent = open[open.count - 1].node
                nodes.append(Node(url: folder, path: above, page: nil, parent: parent))
                open.append((nodes.count - 1, position + 1))
            }
            let node = open[open.count - 1].node
            // Two pages with one URL are reported elsewhere.
            if nodes[node].page == nil { (nodes[node].page, nodes[node].path) = (page, path) }
            previous = url
        }
        if let outline { nest(outline, site) }
        findChildren()
    }

    func children(of node: Int) -> ArraySlice<Int> { allChildren[childRanges[node]] }

    mutating func sortChildren(of node: Int, by precedes: (Int, Int) -> Bool) {
        allChildren[childRanges[node]].sort(by: precedes)
    }

    // An item of the outline has another item or the root as its parent. Other pages have the folder
    // above them. So no node is its own ancestor.
    private mutating func nest(_ outline: NavigationOutline, _ site: Site) {
        var nodesOfItems = [Int?](repeating: nil, count: outline.items.count)
        for node in nodes.indices {
            let item =
                nodes[node].page.map { outline.item(of: site.pages[$0]) }
                ?? outline.item(ofURL: nodes[node].url)
            guard let item, nodesOfItems[item] == nil else { continue }
            nodesOfItems[item] = node
            nodes[node].item = item
        }
        for (index, item) in outline.items.enumerated()
        where item.path == nil && item.folder == nil {
            nodesOfItems[index] = nodes.count
            nodes.append(
                Node(url: "", path: "", page: nil, parent: 0, item: index, address: item.address)
            )
        }
        // Before any page is moved.
        let spread = outline.items.map { $0.folder.map(nodesToSpread) ?? [] }
        for (index, item) in outline.items.enumerated() {
            // An item without a published page is skipped: the items nested in it move up.
            var above = item.parent
            while let next = above, nodesOfItems[next] == nil { above = outline.items[next].parent }
            let parent = above.flatMap { nodesOfItems[$0] } ?? 0
            if let node = nodesOfItems[index], node != 0 { nodes[node].parent = parent }
            for node in spread[index] where nodes[node].item == nil {
                (nodes[node].parent, nodes[node].item) = (parent, index)
            }
        }
    }

    /// The pages and folders in a folder; the folder itself, if it is a page with no other place.
    private func nodesToSpread(_ folder: String) -> [Int] {
        guard let node = nodes.firstIndex(where: { $0.path == folder && !$0.url.isEmpty }) else {
            return []
        }
        if node != 0, nodes[node].page != nil, nodes[node].item == nil { return [node] }
        return nodes.indices.dropFirst().filter {
            nodes[$0].parent == node && !nodes[$0].url.isEmpty
        }
    }

    private mutating func findChildren() {
        var counts = [Int](repeating: 0, count: nodes.count)
        for node in nodes.indices.dropFirst() { counts[nodes[node].parent] += 1 }
        // A folder whose pages are all placed elsewhere, and a heading of nothing.
        var isEmpty = [Bool](repeating: false, count: nodes.count)
        for node in nodes.indices {
            var node = node
            while node != 0, !isEmpty[node], nodes[node].page == nil, nodes[node].address == nil,
                counts[node] == 0
            {
                isEmpty[node] = true
                node = nodes[node].parent
                counts[node] -= 1
            }
        }
        var start = 0
        childRanges = counts.map { count in
            defer { start += count }
            return start..<start
        }
        allChildren = [Int](repeating: 0, count: start)
        for node in nodes.indices.dropFirst() where !isEmpty[node] {
            let range = childRanges[nodes[node].parent]
            allChildren[range.upperBound] = node
            childRanges[nodes[node].parent] = range.lowerBound..<range.upperBound + 1
        }
    }

    private static func path(of file: String) -> Substring {
        let end = file.utf8.lastIndex(of: UInt8(ascii: SitePathName.isIndex(file) ? "/" : "."))
        return file[..<(end ?? file.startIndex)]
    }

    /// The first segments of a path.
    private static func prefix(of path: Substring, _ count: Int) -> Substring {
        var left = count
        let end = path.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "/") { left -= 1 }
            return left == 0
        }
        return path[..<(end ?? path.endIndex)]
    }

    /// The number of bytes that two URLs have in common at their beginning.
    private static func sharedLength(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.utf8.span, right.utf8.span)
        var length = 0
        while length < min(left.count, right.count), left[length] == right[length] { length += 1 }
        return length
    }
}
