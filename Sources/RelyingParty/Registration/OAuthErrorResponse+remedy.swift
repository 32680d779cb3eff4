extension OAuthErrorResponse {
    /// Whether it was the code that was refused, and with it nothing else.
    ///
    /// Entra has "malformed" (9002313) for a code that never was one.
    var isAboutTheCode: Bool { error == "invalid_grant" || number == "AADSTS9002313" }

    /// Whether it may be about the client or its credential (RFC 6749, section 5.2).
    ///
    /// Others have words of their own for a code that never was one: `invalid_code` is Glewlwyd's.
    var isAboutTheClient: Bool {
        let errors = [
            "invalid_client", "unauthorized_client", "invalid_request", "invalid_scope",
            "unsupported_grant_type",
        ]
        return number != nil || errors.contains(error)
    }

    /// What the operator can do, or `nil` where only the provider's log tells.
    var remedy: String? { number.flatMap(OperatorHint.text) }
}
