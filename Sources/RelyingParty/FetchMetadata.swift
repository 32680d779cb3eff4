import HTTPTypes

/// What a browser tells of the purpose of a request (Fetch Metadata Request Headers).
///
/// Anybody can say anything here, so it decides how somebody is asked to sign in, never whether.
public struct FetchMetadata: Sendable {
    /// Of the request, `GET` where nobody says it.
    var method: String
    /// `Sec-Fetch-Mode`.
    var mode: String?
    var accept: String?
    /// `X-Requested-With`.
    var requestedWith: String?

    public init(
        method: String? = nil,
        mode: String?,
        accept: String?,
        requestedWith: String?
    ) {
        self.method = method ?? "GET"
        // nginx hands over a field that is absent as an empty one.
        self.mode = mode.flatMap { $0.isEmpty ? nil : $0 }
        self.accept = accept
        self.requestedWith = requestedWith
    }

    init(_ fields: HTTPFields, method: HTTPRequest.Method = .get) {
        self.init(
            method: method.rawValue,
            mode: fields[.secFetchMode],
            accept: fields[.accept],
            requestedWith: fields[.xRequestedWith]
        )
    }

    /// Whether a person follows a link, rather than a script or a page fetching something.
    ///
    /// Redirecting a fetch to Entra would end as a CORS error in a console, and a form would lose
    /// what was typed into it on the way there and back.
    var isNavigation: Bool { isForPage && (method == "GET" || method == "HEAD") }

    /// Whether a person sees the answer: they follow a link or send a form.
    var isForPage: Bool {
        if let mode { return mode == "navigate" }
        // Browsers that do not say: a navigation accepts HTML, and no script asks for it.
        guard requestedWith?.lowercased() != "xmlhttprequest" else { return false }
        return accept?.lowercased().contains("text/html") ?? false
    }
}
