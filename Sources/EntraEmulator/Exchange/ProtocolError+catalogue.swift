import HTTPTypes

/// The AADSTS numbers that a test or a tenants file may use (Microsoft, "Microsoft Entra
/// authentication and authorization error codes").
///
/// Numbers and OAuth codes are Microsoft's. The sentences are the emulator's own, because no
/// application may rely on Microsoft's.
extension ProtocolError {
    /// The error of a number, or `nil` if it is not known here.
    static func catalogued(_ number: Int) -> ProtocolError? {
        guard let row = catalogue[number] else { return nil }
        let isTransient = ["temporarily_unavailable", "server_error"].contains(row.error)
        return ProtocolError(
            row.error,
            number,
            row.message,
            status: isTransient ? .serviceUnavailable : nil,
            subcode: number == 65004 ? "cancel" : nil,
            suberror: row.suberror,
            isRedirected: row.isRedirected
        )
    }

    private struct Row: Sendable {
        let error: String
        let message: String
        let isRedirected: Bool
        var suberror: String?
    }

    private static func told(_ error: String, _ message: String, _ suberror: String? = nil) -> Row {
        Row(error: error, message: message, isRedirected: true, suberror: suberror)
    }

    private static func shown(_ error: String, _ message: String) -> Row {
        Row(error: error, message: message, isRedirected: false)
    }

    /// `told` errors are sent to the application, `shown` errors stay on a page.
    private static let catalogue: [Int: Row] = [
        16000: told(
            "interaction_required",
            "None of the accounts of this session is in this tenant."
        ),
        50011: shown("invalid_request", "The redirect URI is not registered."),
        50020: shown("interaction_required", "The account does not exist in this tenant."),
        50034: shown("invalid_grant", "The user account does not exist in the directory."),
        50053: shown("invalid_grant", "The account is locked after too many attempts."),
        50055: shown("invalid_grant", "The password is expired."),
        50057: shown("invalid_grant", "The user account is disabled."),
        50058: told("login_required", "A silent request was sent and nobody is signed in."),
        50076: told("interaction_required", "A second factor has to be used.", "basic_action"),
        50079: told("interaction_required", "A second factor has to be set up.", "basic_action"),
        50097: shown("interaction_required", "Device authentication is needed."),
        50105: shown("interaction_required", "The user is not assigned to the application."),
        50126: shown("invalid_grant", "The user name or the password is wrong."),
        50144: shown("invalid_grant", "The directory's password of the user is expired."),
        50158: told("interaction_required", "An external security challenge is not satisfied."),
        50173: told(
            "invalid_grant",
            "The grant was revoked; a fresh sign-in is needed.",
            "bad_token"
        ),
        50194: shown("invalid_request", "The application is not for many tenants."),
        50196: told("invalid_grant", "The client is in a loop of requests."),
        53000: shown("interaction_required", "The device is not in the required state."),
        53003: shown("access_denied", "Access is blocked by a Conditional Access policy."),
        53004: shown("access_denied", "Proof of a second factor is blocked as risky."),
        54005: told("invalid_grant", "The authorization code was redeemed already."),
        65001: told(
            "consent_required",
            "Nobody has consented to the application.",
            "consent_required"
        ),
        65004: told("access_denied", "The user did not consent to the application."),
        65005: told("invalid_request", "The application asks for access that is not registered."),
        70000: told("invalid_grant", "The grant is not valid."),
        70008: told("invalid_grant", "The authorization code or refresh token has expired."),
        70011: told("invalid_scope", "The scope is not valid."),
        70043: told("invalid_grant", "The sign-in frequency of a policy has passed.", "bad_token"),
        90002: shown("invalid_tenant", "There is no such tenant."),
        90006: told("server_error", "The service has an internal error."),
        90012: told("temporarily_unavailable", "The request took too long."),
        90024: told("temporarily_unavailable", "The service is too busy."),
        90033: told("temporarily_unavailable", "The service is temporarily unavailable."),
        90055: told("temporarily_unavailable", "The tenant is throttled."),
        90090: told("server_error", "The consent could not be stored."),
        90072: told(
            "interaction_required",
            "The account of another organization is not in this tenant as a guest."
        ),
        90094: told("access_denied", "An administrator has to grant the permissions."),
        500_112: told(
            "invalid_client",
            "The reply address differs from the one in the authorization request."
        ),
        500_113: shown("invalid_request", "The application has no reply address."),
        650_052: told("invalid_client", "The organization has no subscription to the service."),
        650_056: told("invalid_request", "The registration lacks the permissions asked for."),
        700_016: shown("unauthorized_client", "The application is not in the directory."),
        700_024: told("invalid_client", "The client assertion is outside its validity."),
        700_027: told("invalid_client", "The client assertion's signature is not valid."),
        700_082: told(
            "invalid_grant",
            "The refresh token has expired, because it was not used.",
            "bad_token"
        ),
        1_000_031: shown("access_denied", "The application is blocked in the tenant."),
        7_000_112: shown("unauthorized_client", "The application is disabled."),
        7_000_215: told("invalid_client", "The client secret is not valid."),
        7_000_222: told("invalid_client", "The client secret has expired."),
    ]
}
