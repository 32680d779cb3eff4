/// A page in a search index.
struct SearchDocument: Sendable {
    let page: ListedPage
    let words: PageTerms
    /// The labels of the pages above it.
    let section: String
    /// Old URLs of the page, as the author wrote them.
    let aliases: [String]
    /// The range of the text in the page's file, so that a browser need not load the navigation
    /// again.
    let text: Range<Int>

    /// The words of the title, and the words of tags, description and other names.
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
