/// A page in a search index.
package struct SearchDocument: Sendable {
    package let url: String
    package let title: String
    /// The other texts that describe the page: label, description, tags and old URLs.
    package let names: [String]
    /// The description as results show it.
    package let description: String
    /// The labels of the pages above it.
    package let section: String
    package let headings: SearchHeadings
    /// The number of words of the text, counting repetitions.
    package let wordCount: Int
    /// The range of the text in the page's file, so that a browser need not load the navigation
    /// again.
    package let text: Range<Int>

    package init(
        url: String,
        title: String,
        names: [String],
        description: String,
        section: String,
        headings: SearchHeadings,
        wordCount: Int,
        text: Range<Int>
    ) {
        self.url = url
        self.title = title
        self.names = names
        self.description = description
        self.section = section
        self.headings = headings
        self.wordCount = wordCount
        self.text = text
    }
}
