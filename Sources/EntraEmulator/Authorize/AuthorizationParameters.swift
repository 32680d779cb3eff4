/// An authorization request that Entra would work on: its client and redirect URI are known.
struct AuthorizationParameters: Sendable {
    let application: Directory.Application
    let redirectURI: String
    let items: QueryItems

    /// - Throws: what Entra shows on a page of its own, since it does not know whom to tell.
    init(_ items: QueryItems, _ directory: Directory) throws(ProtocolError) {
        guard let clientID = items["client_id"] else { throw Self.missing("client_id") }
        guard let application = directory.application(clientID) else {
            throw ProtocolError(
                error: "unauthorized_client",
                number: 700016,
                message: "Application with identifier '\(clientID)' was not found in the directory"
                    + " '\(directory.name)'."
            )
        }
        guard let redirectURI = items["redirect_uri"] ?? application.redirectURIs.first else {
            throw Self.missing("redirect_uri")
        }
        let isRegistered = application.redirectURIs.contains { registered in
            RedirectURI.matches(redirectURI, registered: registered)
        }
        guard isRegistered else {
            throw ProtocolError(
                error: "invalid_request",
                number: 50011,
                message: "The redirect URI '\(redirectURI)' specified in the request does not match"
                    + " the redirect URIs configured for the application '\(clientID)'."
            )
        }
        self.application = application
        self.redirectURI = redirectURI
        self.items = items
    }

    /// What is wrong with the rest, told by redirect.
    var mistake: ProtocolError? {
        guard let responseType = items["response_type"] else {
            return Self.missing("response_type")
        }
        guard responseType == "code" else {
            return ProtocolError(
                error: "unsupported_response_type",
                number: 700_054,
                message: "response_type '\(responseType)' is not enabled for the application."
            )
        }
        let scopes = items["scope"]?.split(separator: " ") ?? []
        if scopes.isEmpty { return Self.missing("scope") }
        let mode = items["response_mode"] ?? "query"
        guard mode == "query" else {
            return ProtocolError(
                error: "invalid_request",
                number: 70007,
                message: "'\(mode)' is not a supported value of 'response_mode' here."
            )
        }
        if let challenge = items["code_challenge"] {
            guard (43...128).contains(challenge.count) else {
                return ProtocolError(
                    error: "invalid_request",
                    number: 501_491,
                    message: "Invalid size of Code_Challenge parameter."
                )
            }
            guard ["S256", "plain"].contains(challengeMethod) else {
                return ProtocolError(
                    error: "invalid_request",
                    number: 50149,
                    message: "Invalid Code_Challenge_method parameter."
                )
            }
        }
        return nil
    }

    /// RFC 7636, section 4.3: `plain` where none is named.
    var challengeMethod: String { items["code_challenge_method"] ?? "plain" }

    static func missing(_ name: String) -> ProtocolError {
        ProtocolError(
            error: "invalid_request",
            number: 900_144,
            message: "The request body must contain the following parameter: '\(name)'."
        )
    }
}
