import HTTPTypes

/// A page in the manner of Microsoft's, plainly labelled as none of theirs.
struct Page: Sendable {
    let title: String
    /// HTML.
    let content: String
    /// A script of ours that the page needs, by its path.
    var script: String?
    /// What it may show in frames, for the policy of its content.
    var frames: [String] = []
    /// Wide pages hold tables.
    var isWide = false

    /// - Parameter tenant: the name above the title, or nothing.
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

    /// The fields that a form carries on.
    static func hidden(_ fields: [(String, String)]) -> String {
        fields.map { name, value in
            "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">"
        }.joined(separator: "\n")
    }
}
