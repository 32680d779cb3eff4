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
