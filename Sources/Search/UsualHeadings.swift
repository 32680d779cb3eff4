/// The ids of headings that many pages have, such as `description`: they tell no page from another.
struct UsualHeadings: Sendable {
    /// The number of the id of each heading of the pages in their order.
    private var numbers: [Int] = []
    /// How many headings have an id.
    private var counts: [Int] = []
    private let most: Int
    private var position = 0
    private var others: [Range<Int>] = []

    init(_ documents: [SearchDocument]) {
        most = max(4, documents.count / 50)
        var ids = TermTable(expecting: 2 * documents.count)
        // Without copies of documents, which cost more than the headings.
        for index in documents.indices {
            let headings = documents[index].headings
            let bytes = headings.bytes.span
            var start = 0
            while let heading = SearchHeadings.next(bytes, at: start) {
                let number = ids.add(bytes, heading.id)
                if number == counts.count { counts.append(0) }
                counts[number] += 1
                numbers.append(number)
                start = heading.end
            }
        }
    }

    /// Appends the other headings of the next page to an index, after their number.
    mutating func append(othersOf headings: SearchHeadings, to chunk: inout [UInt8]) {
        let bytes = headings.bytes.span
        others.removeAll(keepingCapacity: true)
        var start = 0
        while let end = SearchHeadings.next(bytes, at: start)?.end {
            let isUsual = counts[numbers[position]] > most
            if !isUsual, others.count < SearchHeadings.most { others.append(start..<end) }
            position += 1
            start = end
        }
        chunk.append(number: others.count)
        for heading in others { chunk.append(bytes, heading) }
    }
}
