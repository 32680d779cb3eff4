import Markdown
import POSIX
import Search
import Site

/// The HTML and the words of the pages that a build has parsed, outside of memory until they are
/// written.
package struct PageBodies: Sendable {
    private let log: RecordLog

    /// - Parameter folder: an existing folder; `nil` to keep everything in memory.
    package init(in folder: String? = nil) { log = RecordLog(in: folder) }

    /// Takes the HTML out of a document.
    package func take(_ document: inout RenderedDocument, countsWords: Bool) -> PageBody {
        let words = countsWords ? PageTerms(document.html) : PageTerms()
        return PageBody(
            html: log.append(document.takeHTML()),
            words: log.append(Array(words.bytes)),
            wordCount: words.length
        )
    }

    package func html(_ body: PageBody) throws(SystemError) -> [UInt8] { try log.read(body.html) }

    package func words(_ body: PageBody) throws(SystemError) -> PageTerms {
        PageTerms(bytes: try log.read(body.words)[...])
    }
}
