import Markdown
import POSIX
import Site
import SourceFolder

/// Renders the files of pages.
package struct PageFiles: Sendable {
    package let renderer: PageRenderer
    package let bodies: PageBodies
    /// They have answered the blocks of the pages.
    package let tools: CodeTools

    package init(renderer: PageRenderer, bodies: PageBodies, tools: CodeTools) {
        self.renderer = renderer
        self.bodies = bodies
        self.tools = tools
    }

    /// The file of a page, what search needs of it, and the page as Markdown.
    ///
    /// - Parameters:
    ///   - read: the same page, whose body the bodies have.
    ///   - urls: the resolved URLs of the page's references.
    package func file(
        of page: Page,
        _ read: Page,
        urls: [String]
    ) throws(SystemError) -> (bytes: [UInt8], text: PageText, markdown: [UInt8]?) {
        guard let body = read.body else {
            throw SystemError("read", page.file.displayPath, number: 5)
        }
        let document = read.document.with(html: try bodies.html(body))
        let code = tools.code(for: document)
        let (bytes, range) = renderer.page(page, document, urls: urls, code: code)
        let links = renderer.links(in: document, urls: urls)
        let text = PageText(range: range ?? 0..<0, wordCount: body.wordCount, links: links) {
            [bodies] () throws(SystemError) in try bodies.words(body)
        }
        return (bytes, text, renderer.markdown(page, document, urls: urls))
    }
}
