/// Cuts the pages of an index into segments, in their order.
///
/// Where a segment ends is decided by the URLs of its pages, so that a new page changes one
/// segment or two, and not all behind it.
enum SearchSegments {
    /// The usual number of pages.
    private static let size: UInt64 = 256
    private static let fewest = 64
    private static let most = 1024

    static func ranges(_ documents: [SearchDocument]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for (index, document) in documents.enumerated() {
            let count = index + 1 - start
            if count < fewest || count < most && !isEnd(document.url) { continue }
            ranges.append(start..<index + 1)
            start = index + 1
        }
        if start < documents.count { ranges.append(start..<documents.count) }
        return ranges
    }

    private static func isEnd(_ url: String) -> Bool {
        var hash: UInt64 = 0
        for byte in url.utf8 { hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
        return (hash >> 32) % size == 0
    }
}
