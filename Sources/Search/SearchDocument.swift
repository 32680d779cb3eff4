/// A page in a search index.
package struct SearchDocument: Sendable {
    package let url: String
    package let title: String
    /// The other texts that describe the page: label, description, tags, old URLs and the last part of
    /// its own.
    package let names: [String]
    /// The HTML of the links to the page, one text for each page that has some.
    ///
    /// Whoever may read this page may read all of those.
    package let links: [[UInt8]]
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
        links: [[UInt8]],
        description: String,
        section: String,
        headings: SearchHeadings,
        wordCount: Int,
        text: Range<Int>
    ) {
        self.url = url
        self.title = title
        self.names = names
        self.links = links
        self.description = description
        self.section = section
        self.headings = headings
        self.wordCount = wordCount
        self.text = text
    }
}
