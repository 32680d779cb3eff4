import Jansson
import OpenSSL

/// What the provider says of a reader beyond who it is: a name for display, and groups.
struct ReaderProfile: Sendable, Equatable {
    let name: String
    /// In the provider's own words.
    let groups: [String]
    /// What the operator has to know, though it kept nobody out.
    var problem: String?
    private let comparesCase: Bool

    /// What a token of Entra's says; it has all there is.
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

    /// A text from the provider or from the site's definitions, in the form in which two are compared.
    ///
    /// Entra's are GUIDs, in whatever case somebody writes them. Elsewhere `Alice` and `alice` may be
    /// two people (OpenID Connect Core 1.0, section 2: `sub` is case-sensitive); bytes, because Swift
    /// takes `é` as one character and as two for the same.
    func comparable(_ text: String) -> [UInt8] {
        Array((comparesCase ? text : text.lowercased()).utf8)
    }

    /// What people are called, the best one first; for display, and never to know anybody by.
    static func name(in claims: JSON.Members) -> String? {
        ["name", "preferred_username", "email"].lazy
            .compactMap { (try? claims.displayTextIfPresent($0)) ?? nil }.first
    }
}

/// The name of a claim in `secrets.toml`: `groups`, or `realm_access.roles` for a member of another.
struct ClaimName: Sendable {
    let text: String

    /// The claim, or `nil` if there is none.
    ///
    /// The whole name is looked for first: names of claims may be URLs, as Auth0 wants its own.
    func value(in claims: JSON.Members) -> JSON? {
        if let value = claims[text] { return value == .null ? nil : value }
        var value = JSON.object(claims)
        for name in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard let member = value[String(name)] else { return nil }
            value = member
        }
        return value == .null ? nil : value
    }

    /// The texts of the claim, or `nil` if there is none.
    ///
    /// - Throws: if it is neither a text nor a list of texts. "No groups" would be a guess.
    func texts(in claims: JSON.Members) throws(IDTokenRejection) -> [String]? {
        guard let value = value(in: claims) else { return nil }
        if case .string(let text) = value { return [text] }
        let found: JSON.Members = ["": value]
        guard let texts = try? found.textsIfPresent("") else { throw .shape("'\(text)'") }
        return texts
    }
}
