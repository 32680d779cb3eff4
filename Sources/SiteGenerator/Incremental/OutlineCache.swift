import Markdown

/// The outlines and search terms of pages from the previous build, by the digests of their sources.
///
/// An entry depends on nothing but its key, so it cannot be out of date.
struct OutlineCache: Sendable {
    private var ranges: [ArraySlice<UInt8>: (outline: Range<Int>, terms: Range<Int>)] = [:]
    private let bytes: ArraySlice<UInt8>

    static let keyBytes = 32

    init() { bytes = [] }

    init(at path: String) {
        bytes = ChecksummedFile.read(path) ?? []
        var position = bytes.startIndex
        while let entry = Self.entry(bytes, at: position) {
            ranges[entry.key] = (entry.outline, entry.terms)
            position = entry.terms.upperBound
        }
    }

    subscript(key: [UInt8]) -> (outline: RenderedDocument, terms: PageTerms)? {
        guard let (outline, terms) = ranges[key[...]],
            let document = RenderedDocument(outline: bytes[outline])
        else { return nil }
        return (document, PageTerms(kept: bytes[terms]))
    }

    /// Writes the outlines of these pages, unless all of them were read from the cache.
    func write(_ pages: [Page], to path: String) {
        let kept = pages.filter(\.isKept)
        if kept.count == ranges.count, kept.allSatisfy({ ranges[$0.key[...]] != nil }) { return }
        let outlines = kept.map { page in
            ranges[page.key[...]].map { bytes[$0.outline] } ?? page.document.outline[...]
        }
        var written: [UInt8] = []
        // Reserved once, with room for the checksum: this is one of the largest arrays of a build.
        written.reserveCapacity(
            zip(kept, outlines).reduce(32) {
                $0 + Self.keyBytes + 8 + $1.0.terms.bytes.count + $1.1.count
            }
        )
        for (page, outline) in zip(kept, outlines) {
            written += page.key
            for count in [outline.count, page.terms.bytes.count] {
                for shift in [0, 8, 16, 24] { written.append(UInt8(count >> shift & 0xFF)) }
            }
            written += outline
            written += page.terms.bytes
        }
        ChecksummedFile.write(written, to: path)
    }

    private static func entry(
        _ bytes: ArraySlice<UInt8>,
        at start: Int
    ) -> (key: ArraySlice<UInt8>, outline: Range<Int>, terms: Range<Int>)? {
        let counts = start + keyBytes
        let header = counts + 8
        guard header <= bytes.endIndex else { return nil }
        func count(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[counts + offset + $1]) << (8 * $1) }
        }
        guard count(0) + count(4) <= bytes.endIndex - header else { return nil }
        let terms = header + count(0)
        return (bytes[start..<counts], header..<terms, terms..<terms + count(4))
    }
}
