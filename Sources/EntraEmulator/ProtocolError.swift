import HTTPTypes
import Jansson

/// An error as Entra tells it: OAuth's code, an AADSTS number, two ids and the time.
struct ProtocolError: Error, Sendable {
    /// OAuth's `error`.
    let error: String
    let number: Int
    let message: String
    var status: HTTPResponse.Status = .badRequest
    /// `error_subcode` of a redirect.
    var subcode: String?

    /// The text with its ids, as it stands in `error_description`.
    func description(_ stamp: Stamp) -> String {
        let ids = "Trace ID: \(stamp.traceID) Correlation ID: \(stamp.correlationID)"
        return "AADSTS\(number): \(message) \(ids) Timestamp: \(stamp.time)"
    }

    /// What makes one error findable in a log.
    struct Stamp: Sendable {
        let traceID: String
        let correlationID: String
        /// A text like `2026-11-22 14:05:09Z`.
        let time: String
    }

    func json(_ stamp: Stamp) -> JSON {
        [
            "error": .string(error),
            "error_description": .string(description(stamp)),
            "error_codes": [.integer(number)],
            "timestamp": .string(stamp.time),
            "trace_id": .string(stamp.traceID),
            "correlation_id": .string(stamp.correlationID),
            "error_uri": .string("https://login.microsoftonline.com/error?code=\(number)"),
        ]
    }
}
