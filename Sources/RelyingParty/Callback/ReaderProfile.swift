import Jansson
import OpenSSL

/// What the provider says about a reader beyond the account: a display name, and groups.
struct ReaderProfile: Sendable, Equatable {
    let name: String
    /// The groups as the provider names them.
    let groups: [String]
    /// A warning for the operator about a sign-in that succeeded.
    var problem: String?
    private let comparesCase: Bool

    /// Reads the profile from Entra's ID token, which contains all of it.
    init(ofEntra token: IDToken) {
        name = token.name
        groups = token.groups
        comparesCase = false
    }

    init(name: String, groups: [String], problem: String? = nil) {
        self.name = name
        self.groups = groups
        self.problem = problem
        comparesCase = true
    }

    /// The bytes of a text from the provider or from the site's definitions, for comparisons.
    ///
    /// Entra's ids are GUIDs, in upper or lower case. Elsewhere `Alice` and `alice` may be two
    /// people (OpenID Connect Core 1.0, section 2: `sub` is case-sensitive). Bytes are compared,
    /// because to Swift two encodings of `é` are equal.
    func comparable(_ text: String) -> [UInt8] {
        Array((comparesCase ? text : text.lowercased()).utf8)
    }

    /// The reader's display name, from the best claim that is present; never used to identify
    /// anybody.
    static func name(in claims: JSON.Members) -> String? {
        ["name", "preferred_username", "email"].lazy
            .compactMap { (try? claims.displayTextIfPresent($0)) ?? nil }.first
    }
}

/// The name of a claim in `secrets.toml`: `groups`, or `realm_access.roles` for a member of another.
struct ClaimName: Sendable {
    let text: String

    /// The claim's value, or `nil` if the claim is missing.
    ///
    /// The whole name is tried first, because names of claims may be URLs, as Auth0 requires for
    /// custom claims.
    func value(in claims: JSON.Members) -> JSON? {
        if let value = claims[text] { return value == .null ? nil : value }
        var value = JSON.object(claims)
        for name in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let member = value[String(name)] else { return nil }
            value = member
        }
        return value == .null ? nil : value
    }

    /// The texts of the claim, or `nil` if the claim is missing.
    ///
    /// - Throws: if the claim is neither a text nor a list of texts; to assume no groups would be a
    ///   guess.
    func texts(in claims: JSON.Members) throws(IDTokenRejection) -> [String]? {
        guard let value = value(in: claims) else { return nil }
        if case .string(let text) = value { return [text] }
        let found: JSON.Members = ["": value]
        guard let texts = try? found.textsIfPresent("") else { throw .shape("'\(text)'") }
        return texts
    }
}
