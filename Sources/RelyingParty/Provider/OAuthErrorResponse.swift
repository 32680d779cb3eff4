import SiteauthConfiguration

/// An error from the authorization endpoint, by redirect, or from the token endpoint (RFC 6749,
/// sections 4.1.2.1 and 5.2).
struct OAuthErrorResponse: Error, Sendable, Equatable {
    let error: String
    let description: String
    var subcode: String?

    /// The first `AADSTS…` number of the description.
    var number: String? {
        guard let range = description.firstRange(of: "AADSTS") else { return nil }
        let digits = description[range.upperBound...].prefix { $0.isASCII && $0.isNumber }.prefix(9)
        return digits.isEmpty ? nil : "AADSTS\(digits)"
    }

    /// The ids by which Microsoft's support finds the error; only GUIDs are passed on.
    var ids: [(name: String, value: String)] {
        ["Correlation ID", "Trace ID"].compactMap { name in
            guard let range = description.firstRange(of: "\(name): ") else { return nil }
            let id = description[range.upperBound...].prefix(36)
            // Anything else, such as a telephone number, may be an attacker's.
            let parts = id.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
                parts.joined().allSatisfy({ $0.isASCII && $0.isHexDigit })
            else { return nil }
            return (name, String(id))
        }
    }

    /// What the error is, without what to do about it.
    var summary: String {
        // OAuth's characters for error codes (RFC 6749, appendix A.7) without the quotation mark.
        func quoted(_ value: String) -> String {
            "'" + String(value.prefix(80).map { $0.isASCII && $0 != "'" ? $0 : "?" }) + "'"
        }
        var text = quoted(error)
        if let subcode { text += " " + quoted(subcode) }
        if let number { text += " \(number)" }
        for (name, value) in ids { text += ", \(name.lowercased()): \(value)" }
        return text
    }

    /// The summary with the provider's own description, for answers of the token endpoint.
    ///
    /// Providers without Microsoft's numbers explain the error in words. The token endpoint's words
    /// come from the provider itself; words that a browser brings can be anybody's, and are not
    /// repeated.
    var explainedSummary: String {
        guard number == nil, !description.isEmpty else { return summary }
        let text = DisplayText.clean(description, maximumLength: 200)
        return "\(summary), '\(text.replacing("'", with: "\""))'"
    }

    /// ``explainedSummary`` or, for Entra's errors, ``logText``: for the operator's log.
    var explainedLogText: String { number == nil ? explainedSummary : logText }

    /// The summary with what to do about the error, for the operator's log.
    var logText: String {
        [summary, remedy, explanationURL].compactMap { $0 }.joined(separator: "; ")
    }
}

extension OAuthErrorResponse {
    /// Whether only the authorization code was refused.
    ///
    /// For a made-up code, Entra answers "malformed" (9002313).
    var isAboutTheCode: Bool { error == "invalid_grant" || number == "AADSTS9002313" }

    /// Whether the error may be about the client or its credential (RFC 6749, section 5.2).
    ///
    /// Some providers have their own error for a made-up code, such as Glewlwyd's `invalid_code`.
    var isAboutTheClient: Bool {
        let errors = [
            "invalid_client", "unauthorized_client", "invalid_request", "invalid_scope",
            "unsupported_grant_type",
        ]
        return number != nil || errors.contains(error)
    }
}
