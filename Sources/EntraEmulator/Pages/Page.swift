import HTTPTypes

/// A page in the manner of Microsoft's, plainly labelled as none of theirs.
struct Page: Sendable {
    static let stylePath = "/_emulator/style.css"

    let title: String
    /// HTML.
    let content: String

    func response(_ directory: Directory) -> EmulatorResponse {
        let html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escape(title)) · entra-emulator</title>
            <link rel="stylesheet" href="\(Self.stylePath)">
            </head>
            <body>
            <p class="label"><strong>entra-emulator</strong> This is not Microsoft. The people \
            below do not exist, and nobody needs a password.</p>
            <main>
            <p class="tenant">\(Self.escape(directory.name))</p>
            <h1>\(Self.escape(title))</h1>
            \(content)
            </main>
            </body>
            </html>

            """
        var response = EmulatorResponse(.ok, Array(html.utf8), "text/html; charset=utf-8")
        response.http.headerFields[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"
        return response
    }

    static func escape(_ text: String) -> String {
        let entities: [Character: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
        ]
        return text.map { entities[$0] ?? String($0) }.joined()
    }
}

/// A page that only says something.
struct MessagePage: Sendable {
    let title: String
    let paragraphs: [String]

    func response(_ directory: Directory) -> EmulatorResponse {
        let content = paragraphs.map { "<p>\(Page.escape($0))</p>" }.joined(separator: "\n")
        return Page(title: title, content: content).response(directory)
    }
}
