/// A page's content, and the frame around it that sitegen made from `templates/auth.html`.
struct PageFrame: Sendable {
    static let titleMark = "<!--siteauth:title-->"
    static let contentMark = "<!--siteauth:content-->"

    /// The frame if there is no release with one: plain, but complete.
    static let plain = """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, \
        initial-scale=1"><meta name="color-scheme" content="light dark">\
        <title>\(titleMark)</title></head>
        <body><main>\(contentMark)</main></body>
        </html>

        """

    let title: String
    /// HTML.
    let content: String
    let language: ReaderLanguage

    /// The complete page.
    ///
    /// - Parameter frame: must contain ``contentMark``, or the plain frame is used.
    func bytes(in frame: String?) -> [UInt8] {
        let frame = frame.flatMap { $0.contains(Self.contentMark) ? $0 : nil } ?? Self.plain
        let parts = frame.split(separator: Self.contentMark, omittingEmptySubsequences: false)
        let titled = parts.map { part in
            part.split(separator: Self.titleMark, omittingEmptySubsequences: false)
                .joined(separator: HTML.escape(title))
        }
        // The frame is in the site's language.
        let html =
            frame.contains("<html lang=\"\(language.tag)\"")
            ? content
            : "<div lang=\"\(language.tag)\" dir=\"\(language.direction)\">\n\(content)</div>\n"
        return Array(titled.joined(separator: html).utf8)
    }
}
