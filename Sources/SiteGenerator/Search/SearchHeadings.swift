/// The headings of a page below its title, by which browsers tell what a part of the page is about.
///
/// They are encoded as in the file of an index: most are only copied from one build to the next.
struct SearchHeadings: Sendable {
    /// For each heading the id and the text, each after its length.
    private(set) var bytes: [UInt8] = []

    /// More would make results slow, and a page with so many is a list of its own.
    static let most = 32

    init() {}

    /// - Parameter bytes: of an earlier build.
    init?(kept bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
        guard forEach({ _, _ in }) else { return nil }
    }

    /// - Parameter text: empty if the id has the same words.
    mutating func append(id: String, text: String) {
        bytes.append(id)
        bytes.append(text)
    }

    /// Calls a function with the range of each id in `bytes`, and with that of all of the heading.
    ///
    /// - Returns: whether all bytes were read.
    @discardableResult
    func forEach(_ body: (_ id: Range<Int>, _ heading: Range<Int>) -> Void) -> Bool {
        let bytes = self.bytes.span
        var start = 0
        while start < bytes.count {
            guard let id = Self.text(bytes, at: start),
                let text = Self.text(bytes, at: id.upperBound)
            else { return false }
            body(id, start..<text.upperBound)
            start = text.upperBound
        }
        return true
    }

    /// The range of the text whose length is at a position.
    private static func text(_ bytes: Span<UInt8>, at position: Int) -> Range<Int>? {
        var count = 0
        var start = position
        for shift in stride(from: 0, to: 28, by: 7) where start < bytes.count {
            let byte = Int(bytes[start])
            start += 1
            count |= (byte & 0x7F) << shift
            if byte < 0x80 { return count <= bytes.count - start ? start..<start + count : nil }
        }
        return nil
    }
}

/// The ids of headings that many pages have, such as `description`: they tell no page from another.
struct UsualHeadings {
    /// The number of the id of each heading of the pages in their order.
    private var numbers: [Int] = []
    /// How many headings have an id.
    private var counts: [Int] = []
    private let most: Int
    private var position = 0

    init(_ documents: [SearchDocument]) {
        most = max(4, documents.count / 50)
        var ids = TermTable(expecting: 2 * documents.count)
        for document in documents {
            document.headings.forEach { id, _ in
                let number = ids.add(document.headings.bytes.span, id)
                if number == counts.count { counts.append(0) }
                counts[number] += 1
                numbers.append(number)
            }
        }
    }

    /// Appends the other headings of the next page to an index, after their number.
    mutating func append(othersOf headings: SearchHeadings, to chunk: inout [UInt8]) {
        var others: [Range<Int>] = []
        headings.forEach { _, heading in
            let isUsual = counts[numbers[position]] > most
            if !isUsual, others.count < SearchHeadings.most { others.append(heading) }
            position += 1
        }
        chunk.append(number: others.count)
        for heading in others { chunk += headings.bytes[heading] }
    }
}
