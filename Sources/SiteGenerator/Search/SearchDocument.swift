/// A page in a search index.
struct SearchDocument: Sendable {
    let url: String
    let title: String
    /// The other texts that describe the page: label, description, tags and old URLs.
    let names: [String]
    /// The description as results show it.
    let description: String
    /// The labels of the pages above it.
    let section: String
    let headings: SearchHeadings
    /// The number of words of the text, counting repetitions.
    let wordCount: Int
    /// The range of the text in the page's file, so that a browser need not load the navigation
    /// again.
    let text: Range<Int>
}
