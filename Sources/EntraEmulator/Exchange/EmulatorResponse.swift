import HTTPTypes
import Jansson

/// A response of the emulator.
public struct EmulatorResponse: Sendable {
    public var http: HTTPResponse
    public var body: [UInt8]
    /// Seconds to wait before the response is sent, for a fault.
    public internal(set) var delaySeconds = 0
    /// Whether the connection breaks off in the middle of the body, for a fault.
    public internal(set) var isTruncated = false

    init(_ status: HTTPResponse.Status, _ body: [UInt8] = [], _ contentType: String? = nil) {
        http = HTTPResponse(status: status)
        http.headerFields[.cacheControl] = "no-store, no-cache"
        http.headerFields[.pragma] = "no-cache"
        http.headerFields[.xContentTypeOptions] = "nosniff"
        if let contentType { http.headerFields[.contentType] = contentType }
        self.body = body
    }

    static func json(_ status: HTTPResponse.Status, _ json: JSON) -> EmulatorResponse {
        EmulatorResponse(status, Array(json.text.utf8), "application/json; charset=utf-8")
    }

    /// - Parameter separator: `?` for a query, `#` for a fragment.
    static func redirect(
        to uri: String,
        _ items: [(String, String)],
        separator: String = "?"
    ) -> EmulatorResponse {
        var response = EmulatorResponse(.found)
        let join = separator == "?" && uri.contains("?") ? "&" : separator
        let query = items.isEmpty ? "" : join + QueryItems.encode(items)
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
