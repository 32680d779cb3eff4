/// A page as one index has it.
struct SearchDocument: Sendable {
    let page: ListedPage
    let words: PageTerms
    /// The labels of the pages above it.
    let section: String
    /// URLs that the page had before, as the author wrote them.
    let aliases: [String]
    /// Where its text stands in its file, that a browser need not fetch the navigation again.
    let text: Range<Int>

    /// The words of the title and those of tags, description and other names.
    func scanNames() -> (title: TermTable, about: TermTable) {
        var title = WordScanner(DistinctWords())
        title.scan(page.title)
        var about = WordScanner(DistinctWords())
        for text in [page.label, page.description ?? ""] + page.tags + aliases { about.scan(text) }
        return (title.sink.table, about.sink.table)
    }

    private struct DistinctWords: WordSink {
        var table = TermTable(expecting: 16)

        mutating func take(_ word: Span<UInt8>) { _ = table.add(word) }
    }
}
