import HTTPTypes

/// Spoils the answer of an endpoint with the faults that a test has switched on.
struct FaultInjection: Sendable {
    let faults: Faults
    let endpoint: Endpoint

    /// - Parameter response: makes the answer; not called if a fault replaces the answer, so that
    ///   no code is used up by a request without an answer.
    func apply(_ response: () -> EmulatorResponse) -> EmulatorResponse {
        let slow = faults.take(.slow, at: endpoint)
        var answer = replacement() ?? response()
        answer.delaySeconds = slow?.seconds ?? 0
        if faults.take(.truncated, at: endpoint) != nil { answer.isTruncated = true }
        return answer
    }

    private func replacement() -> EmulatorResponse? {
        let json = "application/json; charset=utf-8"
        if let setting = faults.take(.throttled, at: endpoint) {
            return refusal(.tooManyRequests, setting.seconds)
        }
        if let setting = faults.take(.unavailable, at: endpoint) {
            return refusal(.serviceUnavailable, setting.seconds)
        }
        if faults.take(.garbage, at: endpoint) != nil {
            return EmulatorResponse(.ok, Array("<html>{\"\u{0}}".utf8) + [0xFF, 0xFE], json)
        }
        if faults.take(.empty, at: endpoint) != nil { return EmulatorResponse(.ok, [], json) }
        if faults.take(.huge, at: endpoint) != nil {
            let filling = [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)
            return EmulatorResponse(.ok, Array("{\"x\":\"".utf8) + filling + "\"}".utf8, json)
        }
        return nil
    }

    private func refusal(_ status: HTTPResponse.Status, _ seconds: Int) -> EmulatorResponse {
        let text = #"{"error":"temporarily_unavailable","error_description":"AADSTS90055: Later."}"#
        var response = EmulatorResponse(status, Array(text.utf8), "application/json; charset=utf-8")
        response.http.headerFields[.retryAfter] = "\(seconds)"
        return response
    }
}
