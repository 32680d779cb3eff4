import HTTPTypes
import SiteauthConfiguration

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
        /// For somebody else, who needs each letter; the theme's script can copy it.
        case identifier(String)
        /// Names of groups, in place of which the titles are shown.
        case groups([String])
        case text(ReaderText)
        /// The theme's script shows it in the reader's time zone.
        case time(NumericDate)
    }

    /// What most readers do not need, folded.
    struct Details: Sendable {
        let sentences: [ReaderText]
        let facts: [(name: ReaderText, value: Value)]
    }

    let status: HTTPResponse.Status
    let title: ReaderText
    var sentences: [ReaderText]
    var facts: [(name: ReaderText, value: Value)] = []
    var details: Details?
    var actions: [Action] = []
    /// Whether the page shows the reference number, for questions to the operator.
    var showsReference = true

    /// The page as a response; ``RelyingParty/respond(to:)`` chooses the language and puts the frame
    /// around it.
    func response(_ request: Request) -> Response {
        var response = Response(status, contentType: "text/html; charset=utf-8")
        if status == .serviceUnavailable { response.http.headerFields[.retryAfter] = "30" }
        response.page = self
        return response
    }

    func framed(_ language: ReaderLanguage, _ request: Request) -> PageFrame {
        let html = { HTML.escape(language($0)) }
        var content = "<h1>\(html(title))</h1>\n"
        for sentence in sentences { content += "<p>\(html(sentence))</p>\n" }
        content += Self.html(facts, language)
        if let details {
            content += "<details><summary>\(html("Details"))</summary>\n"
            for sentence in details.sentences { content += "<p>\(html(sentence))</p>\n" }
            content += Self.html(details.facts, language) + "</details>\n"
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

    private static func html(
        _ facts: [(name: ReaderText, value: Value)],
        _ language: ReaderLanguage
    ) -> String {
        if facts.isEmpty { return "" }
        let items = facts.map { name, value in
            "<dt>\(HTML.escape(language(name)))</dt><dd>\(html(value, language))</dd>"
        }
        return "<dl>\(items.joined(separator: "\n"))</dl>\n"
    }

    private static func html(_ value: Value, _ language: ReaderLanguage) -> String {
        switch value {
        case .identifier(let value): return "<code>\(HTML.escape(value))</code>"
        case .groups(let names):
            let titles = names.map { language.groupTitles[$0] ?? $0 }
            return HTML.escape(titles.joined(separator: ", "))
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
            let style = isMain ? "button primary" : "button"
            let field = "<input type=\"hidden\" name=\"token\" value=\"\(HTML.escape(token))\">"
            let button = "<button class=\"\(style)\">\(html("Sign out"))</button>"
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
        details: Details? = nil,
        actions: [Action] = [],
        showsReference: Bool = true
    ) {
        (self.status, self.title, self.sentences) = (status, title, sentences)
        (self.facts, self.details, self.actions) = (facts, details, actions)
        self.showsReference = showsReference
    }
}
