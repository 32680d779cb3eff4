import HTTPTypes

/// What goes back to nginx, and what the operator is told of it.
public struct Response: Sendable {
    public var http: HTTPResponse
    public var body: [UInt8]
    public var events: [Event] = []
    /// What is counted without a line in the log: anybody can bring it about at will.
    var counted: [Event.Kind] = []
    /// A page whose frame is not around it yet.
    var page: PageFrame?

    /// A response that is kept nowhere.
    init(_ status: HTTPResponse.Status, body: [UInt8] = [], contentType: String? = nil) {
        http = HTTPResponse(status: status)
        http.headerFields[.cacheControl] = "no-store"
        if let contentType { http.headerFields[.contentType] = contentType }
        self.body = body
    }

    /// - Parameter url: absolute, so that no browser can take a path for a host.
    static func redirect(to url: String) -> Response {
        var response = Response(.seeOther)
        response.http.headerFields[.location] = url
        return response
    }

    static func json(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status, body: Array(text.utf8), contentType: "application/json; charset=utf-8")
    }

    /// The answer to a script that has to send its reader to sign in.
    static let signInRequired = json(
        .unauthorized,
        #"{"error":"sign_in_required","sign_in":"/auth/sign-in"}"#
    )

    mutating func setCookie(_ cookie: String) {
        http.headerFields.append(HTTPField(name: .setCookie, value: cookie))
    }

    /// - Parameter kind: by which log lines are found and counted.
    func logging(
        _ level: Event.Level,
        _ text: String,
        as kind: Event.Kind = .problem
    ) -> Response {
        var response = self
        response.events.append(Event(level: level, text: text, kind: kind))
        return response
    }

    func logging(_ level: Event.Level, ifAny text: String?) -> Response {
        text.map { logging(level, $0) } ?? self
    }
}
