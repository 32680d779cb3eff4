/// Why an ID token is not believed.
///
/// The description is the operator's log text.
enum IDTokenRejection: Error, Sendable, Equatable, CustomStringConvertible {
    case notAToken
    /// `alg` of a token that is signed otherwise than with RS256, or not at all.
    case algorithm(String)
    case shape(String)
    case unknownKey(String)
    case signature
    case version(String)
    case issuer(String, expected: String)
    /// The provider says that it names itself in each answer, and does not.
    case unnamedIssuer
    case keyIssuer(String, expected: String)
    case cloud(String, expected: String)
    case audience(String, expected: String)
    case authorizedParty(String, expected: String)
    case nonce
    case accessTokenHash
    /// The reader did not prove anew who they are, though `prompt = "login"` asks for that.
    case authenticatedAt(NumericDate?)
    case expired(NumericDate)
    case notYetValid(NumericDate)
    case issuedInFuture(NumericDate)
    case tenant(String)
    case personalAccount
    case noObjectID

    /// Whether the provider is at fault, and not the reader or the way here.
    var isAboutAnswer: Bool {
        switch self {
        case .tenant, .personalAccount, .nonce, .authenticatedAt(_?): false
        default: true
        }
    }

    var description: String {
        switch self {
        case .notAToken: "it is no token signed with RS256"
        case .algorithm(let name):
            "it is signed with '\(name)', and only RS256 counts; is this client registered for that?"
        case .shape(let what): "\(what) is missing or has the wrong shape"
        case .unknownKey(let name): "'kid' is '\(name)', which the provider does not publish"
        case .signature: "the signature does not hold"
        case .version(let version): "'ver' is '\(version)', expected '2.0'"
        case .issuer(let issuer, let expected): "'iss' is '\(issuer)', expected '\(expected)'"
        case .unnamedIssuer: "'iss' is missing, which the provider says it sends"
        case .keyIssuer(let issuer, let expected):
            "the key signs for '\(issuer)', and 'iss' is '\(expected)'"
        case .cloud(let cloud, let expected):
            "the key belongs to the cloud '\(cloud)', expected '\(expected)'"
        case .audience(let audience, let expected): "'aud' is '\(audience)', expected '\(expected)'"
        case .authorizedParty(let party, let expected):
            "'azp' is '\(party)', expected '\(expected)'"
        case .nonce: "'nonce' does not match the one sent"
        case .accessTokenHash: "'at_hash' is not of the access token beside it"
        case .authenticatedAt(let date?):
            "'auth_time' is \(date), before this sign-in began, and 'prompt' is 'login'"
        case .authenticatedAt(nil): "'auth_time' is missing, and 'prompt' is 'login'"
        case .expired(let date): "'exp' is \(date), which is past; is this machine's clock right?"
        case .notYetValid(let date):
            "'nbf' is \(date), which is to come; is this machine's clock right?"
        case .issuedInFuture(let date):
            "'iat' is \(date), which is to come; is this machine's clock right?"
        case .tenant(let tenant): "'tid' is '\(tenant)', which 'allowed_tenants' does not list"
        case .personalAccount: "'tid' is that of personal accounts, and 'organizations' has none"
        case .noObjectID: "'tid' or 'oid' is missing or no GUID"
        }
    }
}
