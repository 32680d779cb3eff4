/// The provider's answer to an authorization request, in the query or form that the browser brings
/// (OpenID Connect Core 1.0, section 3.1.2.5).
enum AuthorizationResponse: Sendable {
    case success(Code)
    case failure(OAuthErrorResponse, state: String?, issuer: String?)
    /// The request has no parameters: somebody opened the address, or returns from an
    /// administrator's consent.
    case none
    case malformed(String)

    struct Code: Sendable {
        let code: String
        let state: String
        let sessionState: String?
        /// The issuer that the response names (RFC 9207), even if it is empty; Entra sends none.
        let issuer: String?
    }

    init(query: String) {
        guard let form = Form(query) else {
            self = .malformed("a parameter occurs twice or is not properly encoded")
            return
        }
        if let error = form["error"] {
            let description = form["error_description"] ?? ""
            self = .failure(
                OAuthErrorResponse(
                    error: error,
                    description: description,
                    subcode: form["error_subcode"]
                ),
                state: form["state"],
                issuer: form.present("iss")
            )
        } else if let code = form["code"] {
            guard let state = form["state"] else {
                self = .malformed("there is a 'code' but no 'state'")
                return
            }
            self = .success(
                Code(
                    code: code,
                    state: state,
                    sessionState: form["session_state"],
                    issuer: form.present("iss")
                )
            )
        } else {
            self = form["state"] == nil ? .none : .malformed("there is a 'state' but no 'code'")
        }
    }
}

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
