import HTTPTypes

/// A page that siteauth shows: a heading, plain sentences, actions, and a reference number under
/// which the operator finds the cause.
struct ReaderPage: Sendable {
    enum Action: Sendable {
        case link(String, to: String, isMain: Bool)
        /// A link in a new tab, so that this page stays, with the form that the browser still has.
        case newTab(String, to: String)
        case signOut(token: String, isMain: Bool)
    }

    let status: HTTPResponse.Status
    let title: String
    let sentences: [String]
    var facts: [(name: String, value: String)] = []
    var actions: [Action] = []
    /// Whether the page shows the reference number, for questions to the operator.
    var showsReference = true

    /// The page as a response; ``RelyingParty/respond(to:)`` puts the frame around it.
    func response(_ request: Request) -> Response {
        var html = "<h1>\(HTML.escape(title))</h1>\n"
        for sentence in sentences { html += "<p>\(HTML.escape(sentence))</p>\n" }
        if !facts.isEmpty {
            let items = facts.map {
                "<dt>\(HTML.escape($0.name))</dt><dd>\(HTML.escape($0.value))</dd>"
            }
            html += "<dl>\(items.joined(separator: "\n"))</dl>\n"
        }
        if showsReference {
            html += "<p class=\"reference\">Reference number: <code>"
            html += "\(HTML.escape(request.reference))</code></p>\n"
        }
        if !actions.isEmpty {
            html +=
                "<div class=\"actions\">\(actions.map(Self.html).joined(separator: "\n"))</div>\n"
        }
        var response = Response(status, contentType: "text/html; charset=utf-8")
        response.page = PageFrame(title: title, content: html)
        return response
    }

    private static func html(_ action: Action) -> String {
        switch action {
        case .link(let text, let url, let isMain):
            let style = isMain ? "button primary" : "button"
            return "<a class=\"\(style)\" href=\"\(HTML.escape(url))\">\(HTML.escape(text))</a>"
        case .newTab(let text, let url):
            let target = "target=\"_blank\" rel=\"noopener\""
            let style = "class=\"button primary\""
            return "<a \(style) href=\"\(HTML.escape(url))\" \(target)>\(HTML.escape(text))</a>"
        case .signOut(let token, let isMain):
            let style = isMain ? " class=\"primary\"" : ""
            let field = "<input type=\"hidden\" name=\"token\" value=\"\(HTML.escape(token))\">"
            let button = "<button\(style)>Sign out</button>"
            return "<form method=\"post\" action=\"/auth/sign-out\">\(field)\(button)</form>"
        }
    }
}
