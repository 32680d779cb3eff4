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
