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

    private var row: Row? {
        guard let number = number.flatMap({ Int($0.dropFirst("AADSTS".count)) }) else { return nil }
        return Self.rows.first { $0.numbers.contains(number) }
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
        ("login_required", nil, .unfinished),
        ("unauthorized_client", nil, .unknownSite),
        ("temporarily_unavailable", nil, .busy),
        ("server_error", nil, .busy),
    ]

    /// Entra's AADSTS numbers with one meaning.
    private struct Row: Sendable {
        let numbers: Set<Int>
        let refusal: Refusal
        let remedy: String

        init(_ numbers: Set<Int>, _ refusal: Refusal, _ remedy: String) {
            (self.numbers, self.refusal, self.remedy) = (numbers, refusal, remedy)
        }
    }

    private static let rows = [
        Row(
            [65004],
            .cancelled,
            "the reader declined to consent; if users may not consent, an administrator has to"
        ),
        Row([65001], .unapproved, "consent is missing; grant admin consent, and check 'scope'"),
        Row(
            [90094, 90095, 90093, 650_051],
            .unapproved,
            "an administrator has to consent to the application"
        ),
        Row(
            [650_052],
            .notSetUp,
            "the resource of a scope has no service principal in the reader's tenant"
        ),
        Row(
            [65005, 650_056, 650_057],
            .notSetUp,
            "the API permissions of the registration do not cover 'scope'"
        ),
        Row(
            [50011, 500_112],
            .notSetUp,
            "'redirect_uri' is not registered; add exactly this URI under 'Authentication' for the platform 'Web'"
        ),
        Row(
            [700_016, 700_011],
            .unknownSite,
            "'client_id' is not known in this tenant; compare it with 'Application (client) ID', and the authority with 'Directory (tenant) ID'"
        ),
        Row(
            [70001, 7_000_112, 1_000_031],
            .unknownSite,
            "the application is disabled under 'Enterprise applications', or is not installed in this tenant"
        ),
        Row(
            [50194, 90130, 9_002_332],
            .notSetUp,
            "'authority' does not match the supported account types of the registration"
        ),
        Row(
            [90002, 900_021],
            .notSetUp,
            "there is no such tenant; compare the authority with 'Directory (tenant) ID', and its host with the cloud"
        ),
        Row(
            [900_439, 90038, 900_432],
            .notSetUp,
            "the tenant is in another cloud; check the host of 'authority'"
        ),
        Row(
            [50020, 50034, 16003, 51004, 90072, 16000],
            .otherAccount,
            "the account is not in this tenant; invite the reader as a guest"
        ),
        Row(
            [500_200, 500_208],
            .otherAccount,
            "accounts of this kind cannot sign in; compare 'authority' with the supported account types of the registration"
        ),
        Row(
            [500_021, 500_022, 500_212, 500_213, 50002],
            .blocked,
            "tenant restrictions or cross-tenant access settings of an organisation block the sign-in"
        ),
        Row(
            [50105],
            .otherAccount,
            "assign the reader, or a group of theirs, to the enterprise application"
        ),
        Row([50057], .otherAccount, "the account is disabled"),
        Row([50053], .blocked, "the account is locked, or its address is blocked"),
        Row([50055, 50144, 50135], .moreWanted, "the password has expired"),
        Row([50058], .unfinished, "the browser is no longer signed in at Microsoft"),
        Row([50072, 50074, 50076, 50078, 50079], .moreWanted, "Entra requires a second factor"),
        Row(
            [50097, 50129, 53000, 53001],
            .blocked,
            "the device does not meet a Conditional Access policy"
        ),
        Row(
            [53003, 53004, 530_032, 530_034, 53011, 50131, 50158],
            .blocked,
            "a Conditional Access policy blocks the sign-in; Entra's sign-in logs name it"
        ),
        Row([70043, 70044], .unfinished, "a policy's sign-in frequency requires a new sign-in"),
        Row(
            [50173, 50132, 50133, 50089],
            .unfinished,
            "sessions were revoked or the password was changed"
        ),
        Row([70008, 700_082, 70000], .unfinished, "the authorization code has expired"),
        Row(
            [54005],
            .unfinished,
            "the authorization code was sent twice, by a reload, a prefetch or two tabs"
        ),
        Row(
            [50147, 50148, 50149, 501_481, 501_491],
            .unfinished,
            "the authorization code and the code verifier belong to different sign-ins"
        ),
        Row(
            [700_005],
            .unfinished,
            "token endpoint and authorization endpoint belong to different tenants"
        ),
        Row(
            [7_000_215],
            .notSetUp,
            "'client_secret' is wrong; enter the 'Value' of the secret, not its 'Secret ID'"
        ),
        Row(
            [7_000_222],
            .notSetUp,
            "'client_secret' has expired; create a new one under 'Certificates & secrets', or use a certificate"
        ),
        Row(
            [7_000_218, 7_000_216],
            .notSetUp,
            "the request has no credential, but the registration requires one"
        ),
        Row(
            [700_025],
            .notSetUp,
            "the registration is a public client; its platform must be 'Web'"
        ),
        Row(
            [700_027, 50012, 700_030],
            .notSetUp,
            "'client_certificate' is not the registered certificate; upload it under 'Certificates & secrets'"
        ),
        Row(
            [700_021, 700_022, 700_023],
            .notSetUp,
            "the client assertion names another client or another endpoint"
        ),
        Row(
            [700_024],
            .notSetUp,
            "the client assertion has expired or is not valid yet; check this machine's clock"
        ),
        Row(
            [70021, 700_211, 700_212, 700_213, 7_002_137, 7_002_138],
            .notSetUp,
            "no federated credential has this issuer, subject and audience; case matters"
        ),
        Row([700_229], .notSetUp, "a federated credential must be an application's token"),
        Row([70011, 28002, 28003], .notSetUp, "Entra does not accept this 'scope'"),
        Row(
            [9_002_325, 9_002_326],
            .notSetUp,
            "'redirect_uri' is registered for 'Single-page application', not for 'Web'"
        ),
        Row([50196], .busy, "the browser is in a redirect loop; check its cookies and all clocks"),
        Row(
            [90055, 90012, 90024, 90033, 90006, 50033, 70012],
            .busy,
            "Entra is busy; wait, or see Microsoft's status page"
        ),
        Row([900_971], .notSetUp, "no redirect URI is registered"),
        Row(
            [90015, 900_144, 90014, 9_002_313, 900_561],
            .unfinished,
            "the request arrived incomplete or damaged"
        ),
    ]
}
