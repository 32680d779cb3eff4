import HTTPTypes

/// A page that siteauth shows: a heading, plain sentences, actions, and a reference number under
/// which the operator finds the cause.
struct ReaderPage: Sendable {
    enum Action: Sendable {
        case link(ReaderText, to: String, isMain: Bool)
        /// A link in a new tab, so that this page stays, with the form that the browser still has.
        case newTab(ReaderText, to: String)
        case signOut(token: String, isMain: Bool)
    }

    /// What stands beside the name of a fact.
    enum Value: Sendable {
        case verbatim(String)
        case text(ReaderText)
        /// The theme's script shows it in the reader's time zone.
        case time(NumericDate)
    }

    let status: HTTPResponse.Status
    let title: ReaderText
    let sentences: [ReaderText]
    var facts: [(name: ReaderText, value: Value)] = []
    var actions: [Action] = []
    /// Whether the page shows the reference number, for questions to the operator.
    var showsReference = true

    /// The page as a response; ``RelyingParty/respond(to:)`` chooses the language and puts the frame
    /// around it.
    func response(_ request: Request) -> Response {
        var response = Response(status, contentType: "text/html; charset=utf-8")
        response.page = self
        return response
    }

    func framed(_ language: ReaderLanguage, _ request: Request) -> PageFrame {
        let html = { HTML.escape(language($0)) }
        var content = "<h1>\(html(title))</h1>\n"
        for sentence in sentences { content += "<p>\(html(sentence))</p>\n" }
        if !facts.isEmpty {
            let items = facts.map {
                "<dt>\(html($0.name))</dt><dd>\(Self.html($0.value, language))</dd>"
            }
            content += "<dl>\(items.joined(separator: "\n"))</dl>\n"
        }
        if showsReference {
            content += "<p class=\"reference\">\(html("Reference number:")) <code>"
            content += "\(HTML.escape(request.reference))</code></p>\n"
        }
        if !actions.isEmpty {
            let items = actions.map { Self.html($0, language) }
            content += "<div class=\"actions\">\(items.joined(separator: "\n"))</div>\n"
        }
        return PageFrame(title: language(title), content: content, language: language)
    }

    private static func html(_ value: Value, _ language: ReaderLanguage) -> String {
        switch value {
        case .verbatim(let value): return HTML.escape(value)
        case .text(let text): return HTML.escape(language(text))
        case .time(let date): return CalendarTime.html(date, language)
        }
    }

    private static func html(_ action: Action, _ language: ReaderLanguage) -> String {
        let html = { HTML.escape(language($0)) }
        switch action {
        case .link(let text, let url, let isMain):
            let style = isMain ? "button primary" : "button"
            return "<a class=\"\(style)\" href=\"\(HTML.escape(url))\">\(html(text))</a>"
        case .newTab(let text, let url):
            let target = "target=\"_blank\" rel=\"noopener\""
            let style = "class=\"button primary\""
            return "<a \(style) href=\"\(HTML.escape(url))\" \(target)>\(html(text))</a>"
        case .signOut(let token, let isMain):
            let style = isMain ? " class=\"primary\"" : ""
            let field = "<input type=\"hidden\" name=\"token\" value=\"\(HTML.escape(token))\">"
            let button = "<button\(style)>\(html("Sign out"))</button>"
            return "<form method=\"post\" action=\"/auth/sign-out\">\(field)\(button)</form>"
        }
    }
}

extension ReaderPage {
    init(
        _ status: HTTPResponse.Status,
        title: ReaderText,
        _ sentences: ReaderText...,
        facts: [(name: ReaderText, value: Value)] = [],
        actions: [Action] = [],
        showsReference: Bool = true
    ) {
        (self.status, self.title, self.sentences) = (status, title, sentences)
        (self.facts, self.actions, self.showsReference) = (facts, actions, showsReference)
    }
}
