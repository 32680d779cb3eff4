import Site

/// The tags of pages, sorted by name.
struct FoundTags {
    /// The pages that have tags, sorted by title.
    let pages: [ListedPage]
    /// The places of a tag's pages in `pages`, in ascending order.
    private(set) var tags: [(name: String, places: [Int])] = []
    /// By names in lower case.
    private(set) var numbers: [String: Int] = [:]
    /// By names as pages write them.
    private(set) var spellings: [String: Int] = [:]

    /// - Parameter pages: in reading order; the first page with a tag decides how it is written.
    init(_ pages: [ListedPage]) {
        let tagged = pages.filter { !$0.tags.isEmpty }
        self.pages = tagged.map { (key: $0.title.lowercased(), page: $0) }
            .sorted { ($0.key, $0.page.url) < ($1.key, $1.page.url) }.map(\.page)
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
        for (place, page) in self.pages.enumerated() {
            for name in page.tags {
                if let number = spellings[name], tags[number].places.last != place {
                    tags[number].places.append(place)
                }
            }
        }
    }
}
