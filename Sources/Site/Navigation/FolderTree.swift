/// The pages of a site below their folders, or below the pages that `SUMMARY.md` nests them in.
///
/// The children of a node are in the order of their URLs, until they are sorted.
struct FolderTree {
    struct Node {
        let url: String
        /// The index of the page; `nil` for a folder without one.
        fileprivate(set) var page: Int?
        fileprivate(set) var parent: Int
        /// Whether `SUMMARY.md` places the page.
        ///
        /// Pages nested below it may have URLs that do not contain its name.
        fileprivate(set) var isPlaced = false
    }

    /// The root is the first.
    private(set) var nodes = [Node(url: "/", page: nil, parent: 0)]
    private var childRanges: [Range<Int>] = []
    private var allChildren: [Int] = []

    init(_ site: Site, _ summary: Summary?) {
        nodes.reserveCapacity(site.pages.count + 1)
        var nodesOfPages: [Int] = []
        // Pages are sorted by URL, so those of a folder come one after the other.
        var open = [(node: 0, length: 1)]
        var previous = "/"
        for page in site.pages.indices {
            let url = site.pages[page].url
            let shared = Self.sharedLength(previous, url)
            while open.count > 1, open[open.count - 1].length > shared { open.removeLast() }
            let bytes = url.utf8.span
            for position in open[open.count - 1].length..<max(bytes.count, 1)
            where bytes[position] == UInt8(ascii: "/") {
                let folder = String(Substring(url.utf8.prefix(position + 1)))
                nodes.append(Node(url: folder, page: nil, parent: open[open.count - 1].node))
                open.append((nodes.count - 1, position + 1))
            }
            let node = open[open.count - 1].node
            // Two pages with one URL are reported elsewhere.
            if nodes[node].page == nil { nodes[node].page = page }
            nodesOfPages.append(node)
            previous = url
        }
        if let summary { nest(summary, site, nodesOfPages) }
        findChildren()
    }

    func children(of node: Int) -> ArraySlice<Int> { allChildren[childRanges[node]] }

    mutating func sortChildren(of node: Int, by precedes: (Int, Int) -> Bool) {
        allChildren[childRanges[node]].sort(by: precedes)
    }

    // A page in `SUMMARY.md` has another such page or the root as its parent. Other pages have the
    // folder above them. So no page is its own ancestor.
    private mutating func nest(_ summary: Summary, _ site: Site, _ nodesOfPages: [Int]) {
        for (page, node) in nodesOfPages.enumerated() where nodes[node].page == page {
            guard let parent = summary.parent(of: site.pages[page], in: site) else { continue }
            nodes[node].parent = site.index(ofPageAt: parent).map { nodesOfPages[$0] } ?? 0
            nodes[node].isPlaced = true
        }
    }

    private mutating func findChildren() {
        var counts = [Int](repeating: 0, count: nodes.count)
        for node in nodes.indices.dropFirst() { counts[nodes[node].parent] += 1 }
        // A folder whose pages are all placed elsewhere; folders come before those in them.
        var isEmpty = [Bool](repeating: false, count: nodes.count)
        for node in nodes.indices.dropFirst().reversed()
        where nodes[node].page == nil && counts[node] == 0 {
            isEmpty[node] = true
            counts[nodes[node].parent] -= 1
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

    /// The number of bytes that two URLs have in common at their beginning.
    private static func sharedLength(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.utf8.span, right.utf8.span)
        var length = 0
        while length < min(left.count, right.count), left[length] == right[length] { length += 1 }
        return length
    }
}
