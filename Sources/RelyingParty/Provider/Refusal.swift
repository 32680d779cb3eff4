/// What a provider's refusal means to the reader.
enum Refusal: Sendable, CaseIterable {
    /// The reader cancelled, or an administrator has to consent first.
    case cancelled
    /// A policy of the organisation, such as one about devices, blocks the sign-in.
    case blocked
    /// An administrator has to consent.
    case unapproved
    /// This account cannot sign in here; another one may.
    case otherAccount
    /// The provider wants more of the reader, such as a second factor.
    case moreWanted
    /// A new sign-in is enough.
    case unfinished
    /// The organisation does not know the application, or has disabled it.
    case unknownSite
    /// The provider is out of order.
    case busy
    /// The registration or the configuration of this site is wrong.
    case notSetUp
}

/// The one table of refusals: the reader's page, the log line and `check-config` follow from it.
///
/// Microsoft changes numbers and texts (Microsoft, "error codes": "Handling error codes in your
/// application"), so a number decides about words only, never about a session, and a number that is
/// not here counts for nothing: then OAuth's `error` decides. OAuth's errors are those of RFC 6749,
/// sections 4.1.2.1 and 5.2, and OpenID Connect Core 1.0, section 3.1.2.6.
extension OAuthErrorResponse {
    var refusal: Refusal {
        if let row { return row.refusal }
        return Self.errors.first { $0.error == error && ($0.subcode ?? subcode) == subcode }?
            .refusal
            ?? .notSetUp
    }

    /// What the operator can do, or `nil` if only the provider's log can tell.
    var remedy: String? { row?.remedy }

    /// The URL of Microsoft's explanation.
    var explanationURL: String? {
        number.map {
            "https://login.microsoftonline.com/error?code=\($0.dropFirst("AADSTS".count))"
        }
    }

    private var row: (refusal: Refusal, remedy: String)? {
        guard let number = number.flatMap({ Int($0.dropFirst("AADSTS".count)) }) else { return nil }
        for (refusal, remedies) in Self.rows {
            if let remedy = remedies.first(where: { $0.key.contains(number) })?.value {
                return (refusal, remedy)
            }
        }
        return nil
    }

    /// An error with a subcode stands before the same error without.
    private static let errors: [(error: String, subcode: String?, refusal: Refusal)] = [
        ("access_denied", "cancel", .cancelled),
        ("access_denied", nil, .blocked),
        ("consent_required", nil, .unapproved),
        ("invalid_grant", "consent_required", .unapproved),
        ("invalid_grant", "basic_action", .moreWanted),
        ("invalid_grant", nil, .unfinished),
        ("account_selection_required", nil, .otherAccount),
        ("interaction_required", nil, .moreWanted),
        // OpenID Connect Core Error Code unmet_authentication_requirements 1.0
        ("unmet_authentication_requirements", nil, .moreWanted),
        ("login_required", nil, .unfinished),
        ("unauthorized_client", nil, .unknownSite),
        ("temporarily_unavailable", nil, .busy),
        ("server_error", nil, .busy),
    ]

    /// Entra's AADSTS numbers, and what the operator can do about each.
    private static let rows: [Refusal: KeyValuePairs<Set<Int>, String>] = [
        .cancelled: [
            [65004]:
                "the reader cancelled, or declined to consent; if users may not consent, an administrator has to"
        ],
        .unapproved: [
            [65001]: "consent is missing; grant admin consent, and check 'scope'",
            [90094, 90095, 90093, 650_051]: "an administrator has to consent to the application",
        ],
        .notSetUp: [
            [650_052]: "the resource of a scope has no service principal in the reader's tenant",
            [65005, 650_056, 650_057]:
                "the API permissions of the registration do not cover 'scope'",
            [50011, 500_112]:
                "'redirect_uri' is not registered; add exactly this URI under 'Authentication' for the platform 'Web'",
            [50194, 90130, 9_002_332]:
                "'authority' does not match the supported account types of the registration",
            [90002, 900_021]:
                "there is no such tenant; compare the authority with 'Directory (tenant) ID', and its host with the cloud",
            [900_439, 90038, 900_432]:
                "the tenant is in another cloud; check the host of 'authority'",
            [7_000_215]:
                "'client_secret' is wrong; enter the 'Value' of the secret, not its 'Secret ID'",
            [7_000_222]:
                "'client_secret' has expired; create a new one under 'Certificates & secrets', or use a certificate",
            [7_000_218, 7_000_216]:
                "the request has no credential, but the registration requires one",
            [700_025]: "the registration is a public client; its platform must be 'Web'",
            [700_027, 50012, 700_030]:
                "'client_certificate' is not the registered certificate; upload it under 'Certificates & secrets'",
            [700_021, 700_022, 700_023]:
                "the client assertion names another client or another endpoint",
            [700_024]:
                "the client assertion has expired or is not valid yet; check this machine's clock",
            [70021, 700_211, 700_212, 700_213, 7_002_137, 7_002_138]:
                "no federated credential has this issuer, subject and audience; case matters",
            [700_229]: "a federated credential must be an application's token",
            [70011, 28002, 28003]: "Entra does not accept this 'scope'",
            [9_002_325, 9_002_326]:
                "'redirect_uri' is registered for 'Single-page application', not for 'Web'",
            [900_971]: "no redirect URI is registered",
        ],
        .unknownSite: [
            [700_016, 700_011]:
                "'client_id' is not known in this tenant; compare it with 'Application (client) ID', and the authority with 'Directory (tenant) ID'",
            [70001, 7_000_112, 1_000_031]:
                "the application is disabled under 'Enterprise applications', or is not installed in this tenant",
        ],
        .otherAccount: [
            [50020, 50034, 16003, 51004, 90072, 16000]:
                "the account is not in this tenant; invite the reader as a guest",
            [500_200, 500_208]:
                "accounts of this kind cannot sign in; compare 'authority' with the supported account types of the registration",
            [50105]: "assign the reader, or a group of theirs, to the enterprise application",
            [50057]: "the account is disabled",
        ],
        .blocked: [
            [500_021, 500_022, 500_212, 500_213, 50002]:
                "tenant restrictions or cross-tenant access settings of an organisation block the sign-in",
            [50053]: "the account is locked, or its address is blocked",
            [50097, 50129, 53000, 53001]: "the device does not meet a Conditional Access policy",
            [53003, 53004, 530_032, 530_034, 53011, 50131, 50158]:
                "a Conditional Access policy blocks the sign-in; Entra's sign-in logs name it",
        ],
        .moreWanted: [
            [50055, 50144, 50135]: "the password has expired",
            [50072, 50074, 50076, 50078, 50079]: "Entra requires a second factor",
        ],
        .unfinished: [
            [50058]: "the browser is no longer signed in at Microsoft",
            [70043, 70044]: "a policy's sign-in frequency requires a new sign-in",
            [50173, 50132, 50133, 50089]: "sessions were revoked or the password was changed",
            [70008, 700_082, 70000]: "the authorization code has expired",
            [54005]: "the authorization code was sent twice, by a reload, a prefetch or two tabs",
            [50147, 50148, 50149, 501_481, 501_491]:
                "the authorization code and the code verifier belong to different sign-ins",
            [700_005]: "token endpoint and authorization endpoint belong to different tenants",
            [90015, 900_144, 90014, 9_002_313, 900_561]:
                "the request arrived incomplete or damaged",
        ],
        .busy: [
            [50196]: "the browser is in a redirect loop; check its cookies and all clocks",
            [90055, 90012, 90024, 90033, 90006, 50033, 70012]:
                "Entra is busy; wait, or see Microsoft's status page",
        ],
    ]
}
