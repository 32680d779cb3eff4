import HTTPTypes

/// A page in the look of sitegen's theme, clearly labelled as not Microsoft's.
struct Page: Sendable {
    let title: String
    /// HTML.
    let content: String
    /// The path of the page's script.
    var script: String?
    /// The origins that the page may show in frames, for its Content-Security-Policy.
    var frames: [String] = []
    /// Whether the page's script asks this server for more.
    var fetches = false
    /// Whether the page is wide, for tables.
    var isWide = false

    /// - Parameter tenant: the name above the title, or an empty text.
    func response(_ tenant: String) -> EmulatorResponse {
        let name =
            tenant.isEmpty ? "" : "<p class=\"tenant\" dir=\"auto\">\(Self.escape(tenant))</p>\n"
        let script = script.map { "<script src=\"\($0)\" defer></script>\n" } ?? ""
        let html = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escape(title)) · entra-emulator</title>
            <link rel="stylesheet" href="\(Asset.style)">
            \(script)</head>
            <body>
            <header><p class="label"><strong>entra-emulator</strong> This is not Microsoft. The people \
            here are invented; enter no real password.</p></header>
            <main\(isWide ? " class=\"wide\"" : "")>
            \(name)<h1>\(Self.escape(title))</h1>
            \(content)
            </main>
            </body>
            </html>

            """
        var response = EmulatorResponse(.ok, Array(html.utf8), "text/html; charset=utf-8")
        var policy =
            "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"
        if self.script != nil { policy += "; script-src 'self'" }
        if fetches { policy += "; connect-src 'self'" }
        if !frames.isEmpty { policy += "; frame-src \(frames.joined(separator: " "))" }
        response.http.headerFields[.contentSecurityPolicy] = policy
        return response
    }

    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The hidden fields of a form.
    static func hidden(_ fields: [(String, String)]) -> String {
        fields.map { name, value in
            "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">"
        }.joined(separator: "\n")
    }
}
