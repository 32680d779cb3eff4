import HTTPTypes

/// The response to nginx, and the events for the operator's log.
public struct Response: Sendable {
    public var http: HTTPResponse
    public var body: [UInt8]
    public var events: [Event] = []
    /// Events that are counted but not logged, because any client can cause them.
    var counted: [Event.Kind] = []
    /// What the provider has to be told before the browser is sent there.
    var pushed: PushedRequest?
    /// A page that has neither a language nor a frame around it yet.
    var page: ReaderPage?

    /// A response that must not be cached.
    init(_ status: HTTPResponse.Status, body: [UInt8] = [], contentType: String? = nil) {
        http = HTTPResponse(status: status)
        http.headerFields[.cacheControl] = "no-store"
        if let contentType { http.headerFields[.contentType] = contentType }
        self.body = body
    }

    /// - Parameter url: an absolute URL, so that no browser can mistake a path for a host.
    static func redirect(to url: String) -> Response {
        var response = Response(.seeOther)
        response.http.headerFields[.location] = url
        return response
    }

    static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status, body: Array(text.utf8), contentType: "application/json; charset=utf-8")
    }

    /// The answer to a script whose reader has to sign in.
    static let signInRequired = json(
        .unauthorized,
        #"{"error":"sign_in_required","sign_in":"/auth/sign-in"}"#
    )

    mutating func setCookie(_ cookie: String) {
        http.headerFields.append(HTTPField(name: .setCookie, value: cookie))
    }

    /// - Parameter kind: the event's kind, for logs and metrics.
    func logging(
        _ level: Event.Level,
        _ text: String,
        as kind: Event.Kind = .problem,
        about subject: Event.Subject = Event.Subject()
    ) -> Response {
        var response = self
        response.events.append(Event(level: level, text: text, kind: kind, subject: subject))
        return response
    }

    /// The response with the path of an address in each event that has none.
    func onTheWay(to address: String?) -> Response {
        guard let address else { return self }
        var response = self
        for index in response.events.indices where response.events[index].subject.path == nil {
            response.events[index].subject.path = Event.Subject.path(address)
        }
        return response
    }

    func logging(_ level: Event.Level, ifAny text: String?) -> Response {
        text.map { logging(level, $0) } ?? self
    }
}
