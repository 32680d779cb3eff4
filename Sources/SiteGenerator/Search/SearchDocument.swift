/// A page in a search index.
struct SearchDocument: Sendable {
    let page: ListedPage
    /// Its position among the site's pages.
    let position: Int
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
        for text in names { about.scan(text) }
        return (title.sink.table, about.sink.table)
    }

    /// The texts that describe the page, except its title.
    var names: [String] { [page.label, page.description ?? ""] + page.tags + aliases }

    private struct DistinctWords: WordSink {
        var table = TermTable(expecting: 16)

        mutating func take(_ text: Span<UInt8>, _ word: Range<Int>) { _ = table.add(text, word) }
    }
}
