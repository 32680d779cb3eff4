import HTTPTypes

/// A request to the emulator.
public struct EmulatorRequest: Sendable {
    /// Its path holds the query.
    public var http: HTTPRequest
    public var body: [UInt8]

    public init(_ http: HTTPRequest, body: [UInt8]) {
        self.http = http
        self.body = body
    }

    var path: String { String((http.path ?? "/").prefix { $0 != "?" }) }

    var query: String { String((http.path ?? "/").drop { $0 != "?" }.dropFirst()) }

    /// Whether a form was sent by a page of the emulator itself.
    func isSameOrigin(_ base: String) -> Bool {
        guard let origin = http.headerFields[.origin] else { return true }
        return origin == base
    }
}

/// What the emulator answers.
public struct EmulatorResponse: Sendable {
    public var http: HTTPResponse
    public var body: [UInt8]

    init(_ status: HTTPResponse.Status, _ body: [UInt8] = [], _ contentType: String? = nil) {
        http = HTTPResponse(status: status)
        http.headerFields[.cacheControl] = "no-store, no-cache"
        http.headerFields[.pragma] = "no-cache"
        if let contentType { http.headerFields[.contentType] = contentType }
        self.body = body
    }

    static func redirect(to uri: String, _ items: [(String, String)]) -> EmulatorResponse {
        var response = EmulatorResponse(.found)
        let separator = uri.contains("?") ? "&" : "?"
        let query = items.isEmpty ? "" : separator + QueryItems.encode(items)
        response.http.headerFields[.location] = uri + query
        return response
    }

    mutating func setCookie(_ name: String, _ value: String) {
        http.headerFields.append(
            HTTPField(
                name: .setCookie,
                value: "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax"
            )
        )
    }
}

extension HTTPField.Name {
    fileprivate static let pragma = HTTPField.Name("Pragma") ?? .cacheControl
}
