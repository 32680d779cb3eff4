import Markdown

/// The outlines of pages, by the digests of their sources, from one build to the next.
///
/// An entry depends on nothing but its key, so that none can be out of date.
struct OutlineCache: Sendable {
    private var ranges: [ArraySlice<UInt8>: Range<Int>] = [:]
    private let bytes: ArraySlice<UInt8>

    static let keyBytes = 32

    init() { bytes = [] }

    init(at path: String) {
        bytes = SealedFile.read(path) ?? []
        var position = bytes.startIndex
        while let entry = Self.entry(bytes, at: position) {
            ranges[entry.key] = entry.outline
            position = entry.outline.upperBound
        }
    }

    subscript(key: [UInt8]) -> RenderedDocument? {
        guard let range = ranges[key[...]] else { return nil }
        return RenderedDocument(outline: bytes[range])
    }

    /// Writes the outlines of these pages, if there is anything new among them.
    func write(_ pages: [Page], to path: String) {
        let kept = pages.filter(\.isKept)
        if kept.count == ranges.count, kept.allSatisfy({ ranges[$0.key[...]] != nil }) { return }
        var written: [UInt8] = []
        for page in kept {
            let outline = ranges[page.key[...]].map { Array(bytes[$0]) } ?? page.document.outline
            let count = outline.count
            written += page.key
            for shift in [0, 8, 16, 24] { written.append(UInt8(count >> shift & 0xFF)) }
            written += outline
        }
        SealedFile.write(written, to: path)
    }

    private static func entry(
        _ bytes: ArraySlice<UInt8>,
        at start: Int
    ) -> (key: ArraySlice<UInt8>, outline: Range<Int>)? {
        let header = start + keyBytes + 4
        guard header <= bytes.endIndex else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(bytes[start + keyBytes + $1]) << (8 * $1) }
        guard count <= bytes.endIndex - header else { return nil }
        return (bytes[start..<start + keyBytes], header..<header + count)
    }
}
