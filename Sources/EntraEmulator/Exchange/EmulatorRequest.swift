import HTTPTypes

/// A request to the emulator.
public struct EmulatorRequest: Sendable {
    /// The head of the request; its path contains the query.
    public var http: HTTPRequest
    public var body: [UInt8]

    public init(_ http: HTTPRequest, body: [UInt8]) {
        self.http = http
        self.body = body
    }

    var path: String { String((http.path ?? "/").prefix { $0 != "?" }) }

    var query: String { String((http.path ?? "/").drop { $0 != "?" }.dropFirst()) }

    /// The body as a form.
    var form: QueryItems { QueryItems(String(decoding: body, as: UTF8.self)) }

    /// Refuses other methods than POST, as endpoints for programs do.
    func requirePost() throws(ProtocolError) {
        guard http.method == .post else {
            throw .invalidRequest(
                900_561,
                "The endpoint accepts only POST; the request was \(http.method.rawValue)."
            )
        }
    }

    /// Whether a form was sent by a page of the emulator, or not by a browser.
    func isSameOrigin(_ origin: Origin) -> Bool {
        guard let sender = http.headerFields[.origin] else { return true }
        return sender == origin.text
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let pairs = http.headerFields[.cookie]?.split(separator: ";") ?? []
        let values = pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(name + "=") }
        return values.first.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The token of `Authorization: Bearer` (RFC 6750, section 2.1).
    var bearerToken: String? {
        guard let field = http.headerFields[.authorization],
            field.lowercased().hasPrefix("bearer ")
        else { return nil }
        return String(field.dropFirst(7))
    }
}
