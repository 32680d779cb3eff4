import HTML

/// Adds the preview's script to each page that is served; files of releases do not contain it.
enum LiveReload {
    /// - Parameter generation: of the page; the script compares it with the newest.
    static func adding(to html: [UInt8], _ generation: String) -> [UInt8] {
        let line = "<script src=\"\(PreviewRoute.script)\" data-generation=\"\(generation)\" defer>"
        let script = Array("\(line)</script>\n".utf8)
        let end = Array("</head>".utf8)
        // An author's HTML file may have no head; browsers run a script anywhere.
        guard let location = html.indices.first(where: { html[$0...].starts(with: end) }) else {
            return html + script
        }
        return html[..<location] + script + html[location...]
    }

    /// The page that is shown while there is no site to show.
    ///
    /// - Parameter errors: empty before the site was read. They are shown in the same panel as on
    ///   other pages.
    static func emptyPage(errors: String) -> [UInt8] {
        let message =
            errors.isEmpty
            ? "<p>The site is being read.</p>"
            : """
            <p>The site cannot be shown. This page reloads after the next change.</p>
            <section role="alert" aria-label="Errors in the site">
            <h2>Not shown</h2>
            <pre>\(HTMLText.escape(errors))</pre>
            </section>
            """
        return page(errors.isEmpty ? "Preview" : "Not shown", message)
    }

    /// The page in place of one that has changed, while the site is not shown as it is now.
    static let changedPage = page(
        "Not shown",
        "<p>This page has changed. It is shown when the errors of the site are corrected.</p>"
    )

    private static func page(_ title: String, _ message: String) -> [UInt8] {
        Array(
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="color-scheme" content="light dark">
            <link rel="stylesheet" href="\(PreviewRoute.styleSheet)">
            <title>\(title)</title>
            </head>
            <body>
            \(message)
            </body>
            </html>

            """.utf8
        )
    }
}
