/// Endpoints of Entra that are not emulated; they answer with an error of their kind.
enum UnsupportedEndpoint: String, CaseIterable {
    case kerberos
    case authorizeVersion1 = "oauth2/authorize"
    case tokenVersion1 = "oauth2/token"
    case deviceCodeVersion1 = "oauth2/devicecode"
    case saml = "saml2"
    case webServicesFederation = "wsfed"

    /// Whether the endpoint is for browsers, not for programs.
    private var isForBrowsers: Bool {
        switch self {
        case .authorizeVersion1, .saml, .webServicesFederation: true
        case .kerberos, .tokenVersion1, .deviceCodeVersion1: false
        }
    }

    func response(_ emulator: Emulator, _ authority: Authority) -> EmulatorResponse {
        let instead =
            switch self {
            case .authorizeVersion1, .tokenVersion1, .deviceCodeVersion1:
                "Use the v2.0 endpoint, /oauth2/v2.0."
            case .kerberos, .saml, .webServicesFederation:
                "Use OpenID Connect or OAuth 2.0."
            }
        let error = ProtocolError(
            "invalid_request",
            90023,
            "'/\(rawValue)' is not emulated. \(instead)"
        )
        guard isForBrowsers else { return .json(error.status, error.json(emulator.correlation())) }
        let page = ErrorPage(error: error, correlation: emulator.correlation())
        return page.response(authority.tenant?.name ?? "")
    }
}
