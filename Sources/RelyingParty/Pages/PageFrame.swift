/// A page's content and the frame around it, which sitegen made from `templates/auth.html`.
struct PageFrame: Sendable {
    static let titleMark = "<!--siteauth:title-->"
    static let contentMark = "<!--siteauth:content-->"

    /// Where there is no release to take a frame from: plain, but complete.
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

    /// The whole page.
    ///
    /// - Parameter frame: must hold ``contentMark``, or the plain frame is taken.
    func bytes(in frame: String?) -> [UInt8] {
        let frame = frame.flatMap { $0.contains(Self.contentMark) ? $0 : nil } ?? Self.plain
        let parts = frame.split(separator: Self.contentMark, omittingEmptySubsequences: false)
        let titled = parts.map { part in
            part.split(separator: Self.titleMark, omittingEmptySubsequences: false)
                .joined(separator: HTML.escape(title))
        }
        return Array(titled.joined(separator: content).utf8)
    }
}
