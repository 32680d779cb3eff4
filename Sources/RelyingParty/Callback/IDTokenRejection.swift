import JOSE
import SiteauthConfiguration

/// Why an ID token is rejected.
///
/// The description is the operator's log text.
enum IDTokenRejection: Error, Sendable, Equatable, CustomStringConvertible {
    /// Two claims of one name, upper and lower case aside.
    case claimTwice
    /// The token is signed with another algorithm than those that are allowed, or not signed; or
    /// the text is no token.
    case algorithm(String?, expected: Set<SignatureAlgorithm>)
    /// Entra does not sign with any of the algorithms that are allowed.
    case noAlgorithm
    case shape(String)
    case unknownKey(String)
    case signature
    case version(String)
    case issuer(String, expected: String)
    /// The provider's metadata announces `iss` in responses (RFC 9207), but the response has none.
    case unnamedIssuer
    case keyIssuer(String, expected: String)
    case cloud(String, expected: String)
    case audience(String, expected: String)
    case authorizedParty(String, expected: String)
    case nonce
    case accessTokenHash
    /// `prompt = "login"` demands new credentials, but the token does not prove them.
    case authenticatedAt(NumericDate?)
    /// The token does not prove the authentication context that the page demands.
    ///
    /// - Parameter answered: what it proves; `nil` if it is the right one, confirmed too long ago.
    case unconfirmed(String, answered: [String]?)
    /// Another company's tenant confirms an authentication context.
    case foreignContext(String, tenant: String)
    case expired(NumericDate)
    case notYetValid(NumericDate)
    case issuedInFuture(NumericDate)
    case tenant(String)
    /// Entra's issuer contains the tenant id.
    case otherTenant(String, issuer: String)
    case personalAccount
    case noTenantOrObjectID

    /// Whether the provider's answer is wrong, and not the reader's account or browser.
    var isAboutAnswer: Bool {
        switch self {
        case .tenant, .personalAccount, .nonce, .authenticatedAt(_?), .unconfirmed, .foreignContext:
            false
        default: true
        }
    }

    /// Whether the reader is signed in, and has not confirmed what a page demands.
    func isAboutConfirmation(in state: SignInState) -> Bool {
        switch self {
        case .unconfirmed, .foreignContext: true
        case .authenticatedAt: state.context != nil
        default: false
        }
    }

    /// Whether the reader's account is not admitted, so that only another one can sign in.
    var isAboutAccount: Bool {
        switch self {
        case .tenant, .personalAccount: true
        default: false
        }
    }

    var description: String {
        switch self {
        case .claimTwice: "a claim occurs twice in the ID token"
        case .noAlgorithm:
            "Entra signs ID tokens with 'RS256' only, which 'id_token_algorithms' does not list"
        case .algorithm(nil, let expected):
            "the ID token is not a token signed with \(expected.names)"
        case .algorithm(let name?, let expected):
            "the ID token is signed with '\(name)', expected \(expected.names); register this client"
                + " for that, or add the algorithm to 'id_token_algorithms'"
        case .shape(let what): "\(what) is missing or has the wrong type"
        case .unknownKey(let name): "'kid' is '\(name)', but the provider publishes no such key"
        case .signature: "the signature of the ID token is wrong"
        case .version(let version): "'ver' is '\(version)', expected '2.0'"
        case .issuer(let issuer, let expected): "'iss' is '\(issuer)', expected '\(expected)'"
        case .unnamedIssuer: "'iss' is missing, although the provider's metadata announces it"
        case .keyIssuer(let issuer, let expected):
            "the key is for tokens of '\(issuer)', but 'iss' is '\(expected)'"
        case .cloud(let cloud, let expected):
            "the key belongs to the cloud '\(cloud)', expected '\(expected)'"
        case .audience(let audience, let expected): "'aud' is '\(audience)', expected '\(expected)'"
        case .authorizedParty(let party, let expected):
            "'azp' is '\(party)', expected '\(expected)'"
        case .nonce: "'nonce' does not match the one sent"
        case .accessTokenHash: "'at_hash' does not match the access token"
        case .authenticatedAt(let date?):
            "'auth_time' is \(date), before this sign-in started, but 'prompt' is 'login'"
        case .authenticatedAt(nil): "'auth_time' is missing, but 'prompt' is 'login'"
        case .unconfirmed(let context, let answered?):
            "the ID token confirms \(answered), expected the authentication context '\(context)';"
                + " it must exist at the provider, which must ask for it"
        case .unconfirmed(let context, nil):
            "'auth_time' does not show that the authentication context '\(context)' was confirmed"
                + " lately"
        case .foreignContext(let context, let tenant):
            "the authentication context '\(context)' is confirmed by the tenant '\(tenant)', which"
                + " 'role_tenants' does not list"
        case .expired(let date): "'exp' is \(date), in the past; check this machine's clock"
        case .notYetValid(let date):
            "'nbf' is \(date), in the future; check this machine's clock"
        case .issuedInFuture(let date):
            "'iat' is \(date), in the future; check this machine's clock"
        case .tenant(let tenant): "'tid' is '\(tenant)', which 'allowed_tenants' does not list"
        case .otherTenant(let tenant, let issuer):
            "'tid' is '\(tenant)', but 'iss' is '\(issuer)', which is another tenant's"
        case .personalAccount:
            "'tid' is the tenant of personal accounts, which 'organizations' excludes"
        case .noTenantOrObjectID: "'tid' or 'oid' is missing or not a GUID"
        }
    }
}

extension ProviderMetadata {
    /// Why an authorization response is not from this provider (RFC 9207, section 2.4), or `nil` if
    /// it is.
    func rejection(ofAnswerBy other: String?) -> IDTokenRejection? {
        guard let other else { return announcesIssuer ? .unnamedIssuer : nil }
        return admits(other) ? nil : .issuer(other, expected: issuer)
    }
}
