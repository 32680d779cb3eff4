import HTTPTypes
import SiteauthConfiguration

/// Answers that the provider lets the browser post (OAuth 2.0 Form Post Response Mode).
extension Callback {
    /// The greatest length of a form, so that an address holds it sealed; a state has some 3,000
    /// bytes at most, and Entra's codes have 2,000.
    private static let maximumFormBytes = 5500
    private static let parameter = "answer"

    /// Seals a posted answer, and lets the browser bring it once more in an address.
    ///
    /// Browsers send no cookie of this site with a form of another one (`SameSite=Lax`), so the form
    /// alone decides nothing. They do send the cookies on the redirect, where the answer is judged
    /// as if it had come in the address at first; but no log and no history shows the code.
    func carry(_ request: Request) -> Response {
        // Some providers send a form, whatever they were asked for.
        guard configuration.provider.responseMode == .formPost else {
            return refuse(request, "the answer came as a form and not as a query")
        }
        let type = request.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }
        guard request.query.isEmpty, request.body.count <= Self.maximumFormBytes,
            type?.lowercased() == "application/x-www-form-urlencoded",
            let form = String(validating: request.body, as: UTF8.self)
        else { return refuse(request, "the answer is not a form, or is too long") }
        switch AuthorizationResponse(query: form) {
        case .none: return refuse(request, "the form has no answer")
        case .malformed(let reason): return refuse(request, reason)
        case .success, .failure: break
        }
        let sealed = keys.seal(request.body, for: .answer)
        let address = configuration.redirectURI.with([(Self.parameter, sealed)])
        return .redirect(to: address)
    }

    /// The answer of the provider that a request brings, sealed if it was posted.
    func authorizationResponse(in request: Request) -> AuthorizationResponse {
        let plain = AuthorizationResponse(query: request.query)
        guard configuration.provider.responseMode == .formPost else { return plain }
        if let sealed = Form(request.query)?[Self.parameter],
            let form = keys.open(sealed, for: .answer)
        {
            return AuthorizationResponse(query: String(decoding: form, as: UTF8.self))
        }
        if case .none = plain, request.query.isEmpty { return .none }
        return .malformed("the answer did not come as a form, or this site did not seal it")
    }
}
