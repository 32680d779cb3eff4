/// What Entra sends the browser back with (OpenID Connect Core 1.0, section 3.1.2.5).
enum AuthorizationResponse: Sendable {
    case success(Code)
    case failure(OAuthErrorResponse, state: String?, issuer: String?)
    /// No answer at all: somebody opened the address, or came from an administrator's consent.
    case none
    case malformed(String)

    struct Code: Sendable {
        let code: String
        let state: String
        let sessionState: String?
        /// Who answers (RFC 9207), be it an empty text; Entra does not say.
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

/// An error that Entra tells us, by redirect or from the token endpoint (RFC 6749, 4.1.2.1, 5.2).
struct OAuthErrorResponse: Error, Sendable, Equatable {
    let error: String
    let description: String
    var subcode: String?

    /// The first `AADSTS…` number of the description; for the operator only, as Microsoft changes
    /// numbers and texts.
    var number: String? {
        guard let range = description.firstRange(of: "AADSTS") else { return nil }
        let digits = description[range.upperBound...].prefix { $0.isASCII && $0.isNumber }.prefix(9)
        return digits.isEmpty ? nil : "AADSTS\(digits)"
    }

    /// The ids by which Microsoft's support finds it: GUIDs, and nothing else is let through.
    var ids: [(name: String, value: String)] {
        ["Correlation ID", "Trace ID"].compactMap { name in
            guard let range = description.firstRange(of: "\(name): ") else { return nil }
            let id = description[range.upperBound...].prefix {
                $0.isASCII && ($0.isHexDigit || $0 == "-")
            }
            return id.isEmpty ? nil : (name, String(id.prefix(36)))
        }
    }

    /// What it is, without what to do about it.
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

    /// The summary of what the token endpoint answered.
    ///
    /// Providers without Microsoft's numbers say in words what is the matter. These come from the
    /// provider itself; those that a browser brings along may be anybody's, and are not repeated.
    var explainedSummary: String {
        guard number == nil, !description.isEmpty else { return summary }
        let text = DisplayText.clean(description, maximumLength: 200)
        return "\(summary), '\(text.replacing("'", with: "\""))'"
    }

    /// The same for the operator's log.
    var explainedLogText: String { number == nil ? explainedSummary : logText }

    /// For the operator's log.
    var logText: String {
        guard let number else { return summary }
        let hint = OperatorHint.text(number).map { "; \($0)" } ?? ""
        return "\(summary)\(hint); \(OperatorHint.url(number))"
    }
}
