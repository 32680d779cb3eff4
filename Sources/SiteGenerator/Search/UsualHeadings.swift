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
