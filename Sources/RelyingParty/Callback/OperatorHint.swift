/// What an operator does about an error of Entra's, by its AADSTS number.
///
/// It goes into the log alone. Microsoft changes numbers and texts, so nothing is decided by them:
/// what the reader is told depends on OAuth's `error` (Microsoft, "error codes": "Handling error
/// codes in your application").
enum OperatorHint {
    /// - Parameter number: as in `AADSTS7000215`.
    static func text(_ number: String) -> String? {
        guard let digits = Int(number.dropFirst("AADSTS".count)) else { return nil }
        return hints.first { $0.numbers.contains(digits) }?.text
    }

    /// Where Microsoft explains a number.
    static func url(_ number: String) -> String {
        "https://login.microsoftonline.com/error?code=\(number.dropFirst("AADSTS".count))"
    }

    private static let hints: [(numbers: Set<Int>, text: String)] = [
        ([65004], "the reader declined; where users may not consent, an administrator has to"),
        ([65001], "nobody has consented: grant admin consent, and look at 'scope'"),
        ([90094, 90095, 90093, 650_051], "an administrator has to consent to the application"),
        ([650_052], "the resource of a scope has no service principal in the reader's tenant"),
        (
            [65005, 650_056, 650_057],
            "the API permissions of the registration do not cover 'scope'"
        ),
        (
            [50011, 500_112],
            "'redirect_uri' is not registered; add it, to the letter, under "
                + "'Authentication' for the platform 'Web'"
        ),
        (
            [700_016, 700_011],
            "'client_id' is not known in this tenant; compare it with 'Application "
                + "(client) ID', and the authority with 'Directory (tenant) ID'"
        ),
        (
            [70001, 7_000_112, 1_000_031],
            "the application is switched off, under 'Enterprise applications', or not "
                + "installed in this tenant"
        ),
        (
            [50194, 90130, 9_002_332],
            "the authority does not fit the account types of the registration"
        ),
        (
            [90002, 900_021],
            "there is no such tenant; compare the authority with 'Directory (tenant) ID', "
                + "and its host with the cloud"
        ),
        (
            [900_439, 90038, 900_432],
            "the tenant is in another cloud: look at the authority's host"
        ),
        (
            [50020, 50034, 16003, 51004, 90072, 16000],
            "the account is not of this tenant: invite it"
        ),
        ([50105], "assign the reader, or a group, to the enterprise application"),
        ([50057], "the account is disabled"),
        ([50053], "the account is locked, or its address is blocked"),
        ([50055, 50144, 50135], "the password has expired"),
        ([50058], "nobody is signed in at Microsoft any more"),
        ([50072, 50074, 50076, 50078, 50079], "a second factor is asked for"),
        ([50097, 50129, 53000, 53001], "the device does not meet a Conditional Access policy"),
        (
            [53003, 53004, 530_032, 530_034, 53011, 50131, 50158],
            "a Conditional Access policy blocks: see the sign-in log by the correlation id"
        ),
        ([70043, 70044], "a policy's sign-in frequency has passed"),
        ([50173, 50132, 50133, 50089], "sessions were revoked or the password was changed"),
        ([70008, 700_082, 70000], "the code was too old"),
        ([54005], "the code came twice: a reload, a prefetch, or two tabs"),
        (
            [50147, 50148, 50149, 501_481, 501_491],
            "the code and its verifier are not of one sign-in"
        ),
        ([700_005], "the token endpoint is another tenant's than the authorization endpoint"),
        (
            [7_000_215],
            "'client_secret' is wrong; is it the 'Value' of the secret, and not its "
                + "'Secret ID'?"
        ),
        (
            [7_000_222],
            "'client_secret' has expired; make a new one under 'Certificates & secrets', "
                + "or use a certificate"
        ),
        ([7_000_218, 7_000_216], "no credential was sent, and the registration wants one"),
        ([700_025], "the registration is public: its platform has to be 'Web'"),
        (
            [700_027, 50012, 700_030],
            "'client_certificate' is not registered, or its key is another one; upload it "
                + "under 'Certificates & secrets'"
        ),
        (
            [700_021, 700_022, 700_023],
            "the client assertion names another client or another endpoint"
        ),
        (
            [700_024],
            "the assertion's time is not now; is this machine's clock right?"
        ),
        (
            [70021, 700_211, 700_212, 700_213, 7_002_137, 7_002_138],
            "no federated credential fits: issuer, subject and audience count by letter and case"
        ),
        ([700_229], "only tokens of applications may be federated credentials"),
        ([70011, 28002, 28003], "'scope' is not what Entra takes"),
        (
            [9_002_325, 9_002_326],
            "'redirect_uri' is registered for 'Single-page application', not for 'Web'"
        ),
        ([50196], "requests go round in a loop: look at cookies and clocks"),
        (
            [90055, 90012, 90024, 90033, 90006, 50033, 70012],
            "Entra is busy; it passes, or Microsoft's status page knows"
        ),
        ([900_971], "no redirect URI is registered"),
        ([90015, 900_144, 90014, 9_002_313, 900_561], "the request arrived mutilated"),
    ]
}
