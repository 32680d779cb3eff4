import Markdown

/// The HTML of a page's text, with its links and its highlighted code.
struct FilledDocument {
    let document: RenderedDocument
    /// The resolved URLs of the document's references.
    let urls: [String]
    let code: [HighlightedCode?]
    /// The level of the heading that is the page's title; see ``Page/titleLevel``.
    let titleLevel: Int?

    /// At least the number of its bytes.
    var count: Int {
        document.html.count + urls.reduce(0) { $0 + $1.utf8.count }
            + code.reduce(0) { $0 + ($1?.html.count ?? 0) }
    }

    func append(to page: inout [UInt8]) {
        guard let titleLevel else {
            document.append(to: &page, urls: urls, code: code.map { $0?.html })
            return
        }
        var html = document.filled(with: urls, code: code.map { $0?.html })
        OpeningHeading.promote(&html, from: titleLevel)
        page += html
    }
}
