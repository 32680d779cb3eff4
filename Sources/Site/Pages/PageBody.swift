import Diagnostics
import Markdown
import POSIX

/// The HTML and the words of a page, outside of memory until they are written.
package struct PageBody: Sendable {
    package let html: RecordLog.Record
    package let words: RecordLog.Record
    /// The number of the words, counting repetitions.
    package let wordCount: Int

    package init(html: RecordLog.Record, words: RecordLog.Record, wordCount: Int) {
        self.html = html
        self.words = words
        self.wordCount = wordCount
    }

    /// Takes the HTML out of a document that was read.
    package typealias Taker =
        @Sendable (
            _ document: inout RenderedDocument,
            _ isPublished: Bool,
            _ location: (SourceRange) -> SourceLocation
        ) -> PageBody?
}
