import Diagnostics
import Markdown
import POSIX

/// The HTML and the words of a page, outside of memory until they are written.
struct PageBody: Sendable {
    let html: RecordLog.Record
    let words: RecordLog.Record
    /// The number of the words, counting repetitions.
    let wordCount: Int

    /// Takes the HTML out of a document that was read.
    typealias Taker =
        @Sendable (
            _ document: inout RenderedDocument,
            _ isPublished: Bool,
            _ location: (SourceRange) -> SourceLocation
        ) -> PageBody?
}
