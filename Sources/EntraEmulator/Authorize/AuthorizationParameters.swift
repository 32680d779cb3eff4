import Jansson

/// An authorization request whose client and redirect URI are known.
struct AuthorizationParameters: Sendable {
    let application: Application
    let redirectURI: String
    let items: QueryItems
    let responseTypes: Set<String>
    private let scopeMistake: ProtocolError?

    /// The nonce is stored with the code, and a client may request many codes.
    private static let maximumNonceBytes = 2048

    /// - Throws: the error that Entra shows on its own page, because it does not know the
    ///   application.
    init(
        _ items: QueryItems,
        _ authority: Authority,
        _ finder: AuthorityFinder
    ) throws(ProtocolError) {
        guard let clientID = items["client_id"] else { throw .missing("client_id") }
        application = try Registration.application(clientID, authority, finder.directory)
        guard let redirectURI = items["redirect_uri"] ?? application.redirectURIs.first else {
            throw .missing("redirect_uri")
        }
        let isRegistered = application.redirectURIs.contains { registered in
            RedirectURI.matches(redirectURI, registered: registered)
        }
        guard isRegistered else {
            throw .invalidRequest(
                50011,
                "The redirect URI '\(redirectURI)' of the request is not registered"
                    + " for the application '\(clientID)'."
            )
        }
        self.redirectURI = redirectURI
        self.items = items
        responseTypes = Set((items["response_type"] ?? "").split(separator: " ").map(String.init))
        do {
            _ = try RequestedScopes(RequestedScopes.list(items["scope"]), authority, finder)
            scopeMistake = nil
        } catch { scopeMistake = error }
    }

    var scopes: [String] { RequestedScopes.list(items["scope"]) }

    /// The response mode; tokens never travel in a query.
    var responseMode: ResponseMode {
        let standard: ResponseMode = responseTypes == ["code"] ? .query : .fragment
        return items["response_mode"].flatMap(ResponseMode.init) ?? standard
    }

    /// The error in the other parameters, which the application is told.
    var mistake: ProtocolError? {
        if let mistake = responseMistake ?? proofKeyMistake { return mistake }
        if scopes.isEmpty { return .missing("scope") }
        if let scopeMistake { return scopeMistake }
        if items["nonce"]?.utf8.count ?? 0 > Self.maximumNonceBytes {
            return .invalidRequest(90015, "'nonce' is too long.")
        }
        if let prompt = items["prompt"],
            !["none", "login", "consent", "select_account", "create"].contains(prompt)
        {
            return .invalidRequest(90023, "'\(prompt)' is not a value of 'prompt'.")
        }
        return nil
    }

    private var responseMistake: ProtocolError? {
        if responseTypes.isEmpty { return .missing("response_type") }
        if !responseTypes.isSubset(of: ["code", "id_token", "token"]) {
            return .unsupportedResponseType(
                70005,
                "'\(items["response_type"] ?? "")' is not a response type."
            )
        }
        if responseTypes != ["code"], !application.issuesIDTokens {
            return .unsupportedResponseType(
                700_054,
                "The application is not allowed to get tokens from this endpoint."
            )
        }
        if responseTypes.contains("id_token"), items["nonce"] == nil {
            return .missing("nonce")
        }
        if let mode = items["response_mode"],
            ResponseMode(rawValue: mode) == nil || (mode == "query" && responseTypes != ["code"])
        {
            return .invalidRequest(
                70007,
                "'\(mode)' is not a 'response_mode' for this response type."
            )
        }
        return nil
    }

    /// RFC 7636, section 4.4.1.
    private var proofKeyMistake: ProtocolError? {
        guard let challenge = items["code_challenge"] else { return nil }
        if !(43...128).contains(challenge.count) {
            return .invalidRequest(501_491, "'code_challenge' has the wrong length.")
        }
        if !["S256", "plain"].contains(challengeMethod) {
            return .invalidRequest(50149, "'\(challengeMethod)' is not a 'code_challenge_method'.")
        }
        return nil
    }

    /// The PKCE method; `plain` if none is named (RFC 7636, section 4.3).
    var challengeMethod: String { items["code_challenge_method"] ?? "plain" }
}

extension QueryItems {
    /// The authentication contexts that the parameter `claims` asks for in the ID token (Microsoft,
    /// "Developer guide to Conditional Access authentication context").
    var requestedContexts: [String] {
        let claims = self["claims"].flatMap { try? JSON(parsing: Array($0.utf8)) }
        guard let asked = claims?["id_token"]?["acrs"] else { return [] }
        return asked["value"]?.string.map { [$0] } ?? asked["values"]?.strings ?? []
    }
}

/// How an authorization response is sent.
enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
}
