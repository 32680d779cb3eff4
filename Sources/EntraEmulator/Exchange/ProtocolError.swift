import HTTPTypes
import Jansson

/// An error in Entra's format: OAuth's code, an AADSTS number, two ids and the time.
struct ProtocolError: Error, Sendable {
    /// OAuth's `error`.
    let error: String
    let number: Int
    let message: String
    var status: HTTPResponse.Status = .badRequest
    /// `error_subcode` of a redirect.
    var subcode: String?
    /// `suberror` of the token endpoint.
    var suberror: String?
    /// Whether the application is told; otherwise the error stays on a page.
    var isRedirected = true

    init(
        _ error: String,
        _ number: Int,
        _ message: String,
        status: HTTPResponse.Status? = nil,
        subcode: String? = nil,
        suberror: String? = nil,
        isRedirected: Bool = true
    ) {
        self.error = error
        self.number = number
        self.message = message
        // RFC 6749, section 5.2: the client could not be authenticated.
        self.status = status ?? (error == "invalid_client" ? .unauthorized : .badRequest)
        self.subcode = subcode
        self.suberror = suberror
        self.isRedirected = isRedirected
    }

    /// The text with its ids, as in `error_description`.
    func description(_ correlation: Correlation) -> String {
        let ids = "Trace ID: \(correlation.traceID) Correlation ID: \(correlation.correlationID)"
        return "AADSTS\(number): \(message) \(ids) Timestamp: \(correlation.time)"
    }

    /// The ids and the time by which an error is found in a log.
    struct Correlation: Sendable {
        let traceID: String
        let correlationID: String
        /// A text like `2026-11-22 14:05:09Z`.
        let time: String
    }

    var uri: String { "https://login.microsoftonline.com/error?code=\(number)" }

    func json(_ correlation: Correlation) -> JSON {
        var members: JSON.Members = [
            "error": .string(error),
            "error_description": .string(description(correlation)),
            "error_codes": [.integer(number)],
            "timestamp": .string(correlation.time),
            "trace_id": .string(correlation.traceID),
            "correlation_id": .string(correlation.correlationID),
            "error_uri": .string(uri),
        ]
        members["suberror"] = suberror.map(JSON.string)
        return .object(members)
    }

    static func missing(_ name: String) -> ProtocolError {
        .invalidRequest(900_144, "The request must have the parameter '\(name)'.")
    }
}

/// OAuth's commonest errors, with Entra's number (RFC 6749, sections 4.1.2.1 and 5.2).
extension ProtocolError {
    static func invalidRequest(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("invalid_request", number, message)
    }

    static func invalidClient(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("invalid_client", number, message)
    }

    static func invalidGrant(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("invalid_grant", number, message)
    }

    static func unsupportedResponseType(_ number: Int, _ message: String) -> ProtocolError {
        ProtocolError("unsupported_response_type", number, message)
    }
}
