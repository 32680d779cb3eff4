/// The tags of pages, sorted by name, each with its pages sorted by title.
struct FoundTags {
    private(set) var tags: [(name: String, pages: [ListedPage])] = []
    /// By names in lower case.
    private(set) var numbers: [String: Int] = [:]
    /// By names as pages write them.
    private(set) var spellings: [String: Int] = [:]

    /// - Parameter pages: in reading order; the first page with a tag decides how it is written.
    init(_ pages: [ListedPage]) {
        let tagged = pages.filter { !$0.tags.isEmpty }
        for name in tagged.lazy.flatMap(\.tags) where spellings[name] == nil {
            let key = name.lowercased()
            if numbers[key] == nil {
                numbers[key] = tags.count
                tags.append((name, []))
            }
            spellings[name] = numbers[key]
        }
        let sorted = numbers.sorted { $0.key < $1.key }.map(\.value)
        var positions = sorted
        for (position, number) in sorted.enumerated() { positions[number] = position }
        tags = sorted.map { tags[$0] }
        numbers = numbers.mapValues { positions[$0] }
        spellings = spellings.mapValues { positions[$0] }
        let byTitle = tagged.map { (key: $0.title.lowercased(), page: $0) }.sorted {
            ($0.key, $0.page.url) < ($1.key, $1.page.url)
        }
        for (_, page) in byTitle {
            for name in page.tags {
                if let number = spellings[name] { tags[number].pages.append(page) }
            }
        }
    }
}
