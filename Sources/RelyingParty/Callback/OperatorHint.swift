/// Tells the operator what to do about an error of Entra's, by its AADSTS number.
///
/// The hint goes into the log only. Microsoft changes numbers and texts, so no decision depends on
/// them: the reader's page follows OAuth's `error` (Microsoft, "error codes": "Handling error codes
/// in your application").
enum OperatorHint {
    /// - Parameter number: as in `AADSTS7000215`.
    static func text(_ number: String) -> String? {
        guard let digits = Int(number.dropFirst("AADSTS".count)) else { return nil }
        return hints.first { $0.numbers.contains(digits) }?.text
    }

    /// The URL of Microsoft's explanation of a number.
    static func url(_ number: String) -> String {
        "https://login.microsoftonline.com/error?code=\(number.dropFirst("AADSTS".count))"
    }

    private static let hints: [(numbers: Set<Int>, text: String)] = [
        (
            [65004],
            "the reader declined to consent; if users may not consent, an administrator has to"
        ),
        ([65001], "consent is missing; grant admin consent, and check 'scope'"),
        ([90094, 90095, 90093, 650_051], "an administrator has to consent to the application"),
        ([650_052], "the resource of a scope has no service principal in the reader's tenant"),
        (
            [65005, 650_056, 650_057],
            "the API permissions of the registration do not cover 'scope'"
        ),
        (
            [50011, 500_112],
            "'redirect_uri' is not registered; add exactly this URI under "
                + "'Authentication' for the platform 'Web'"
        ),
        (
            [700_016, 700_011],
            "'client_id' is not known in this tenant; compare it with 'Application "
                + "(client) ID', and the authority with 'Directory (tenant) ID'"
        ),
        (
            [70001, 7_000_112, 1_000_031],
            "the application is disabled under 'Enterprise applications', or is not "
                + "installed in this tenant"
        ),
        (
            [50194, 90130, 9_002_332],
            "'authority' does not match the supported account types of the registration"
        ),
        (
            [90002, 900_021],
            "there is no such tenant; compare the authority with 'Directory (tenant) ID', "
                + "and its host with the cloud"
        ),
        (
            [900_439, 90038, 900_432],
            "the tenant is in another cloud; check the host of 'authority'"
        ),
        (
            [50020, 50034, 16003, 51004, 90072, 16000],
            "the account is not in this tenant; invite the reader as a guest"
        ),
        ([50105], "assign the reader, or a group of theirs, to the enterprise application"),
        ([50057], "the account is disabled"),
        ([50053], "the account is locked, or its address is blocked"),
        ([50055, 50144, 50135], "the password has expired"),
        ([50058], "the browser is no longer signed in at Microsoft"),
        ([50072, 50074, 50076, 50078, 50079], "Entra requires a second factor"),
        ([50097, 50129, 53000, 53001], "the device does not meet a Conditional Access policy"),
        (
            [53003, 53004, 530_032, 530_034, 53011, 50131, 50158],
            "a Conditional Access policy blocks the sign-in; Entra's sign-in logs name it"
        ),
        ([70043, 70044], "a policy's sign-in frequency requires a new sign-in"),
        ([50173, 50132, 50133, 50089], "sessions were revoked or the password was changed"),
        ([70008, 700_082, 70000], "the authorization code has expired"),
        ([54005], "the authorization code was sent twice, by a reload, a prefetch or two tabs"),
        (
            [50147, 50148, 50149, 501_481, 501_491],
            "the authorization code and the code verifier belong to different sign-ins"
        ),
        ([700_005], "token endpoint and authorization endpoint belong to different tenants"),
        (
            [7_000_215],
            "'client_secret' is wrong; enter the 'Value' of the secret, not its "
                + "'Secret ID'"
        ),
        (
            [7_000_222],
            "'client_secret' has expired; create a new one under 'Certificates & secrets', "
                + "or use a certificate"
        ),
        (
            [7_000_218, 7_000_216],
            "the request has no credential, but the registration requires one"
        ),
        ([700_025], "the registration is a public client; its platform must be 'Web'"),
        (
            [700_027, 50012, 700_030],
            "'client_certificate' is not the registered certificate; upload it "
                + "under 'Certificates & secrets'"
        ),
        (
            [700_021, 700_022, 700_023],
            "the client assertion names another client or another endpoint"
        ),
        (
            [700_024],
            "the client assertion has expired or is not valid yet; check this machine's clock"
        ),
        (
            [70021, 700_211, 700_212, 700_213, 7_002_137, 7_002_138],
            "no federated credential has this issuer, subject and audience; case matters"
        ),
        ([700_229], "a federated credential must be an application's token"),
        ([70011, 28002, 28003], "Entra does not accept this 'scope'"),
        (
            [9_002_325, 9_002_326],
            "'redirect_uri' is registered for 'Single-page application', not for 'Web'"
        ),
        ([50196], "the browser is in a redirect loop; check its cookies and all clocks"),
        (
            [90055, 90012, 90024, 90033, 90006, 50033, 70012],
            "Entra is busy; wait, or see Microsoft's status page"
        ),
        ([900_971], "no redirect URI is registered"),
        ([90015, 900_144, 90014, 9_002_313, 900_561], "the request arrived incomplete or damaged"),
    ]
}
