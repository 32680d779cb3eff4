import Diagnostics
import HTTPTypes
import JOSE
import MicrosoftGraph
import SiteauthConfiguration

/// Tests the configuration against the provider without signing anybody in.
///
/// The check fetches metadata and keys, makes a silent authorization request, which shows whether
/// the redirect URI is registered, and redeems a made-up code, which shows whether client and
/// credential are known.
public struct LiveCheck: Sendable {
    private let configuration: AuthConfiguration
    private let environment: Environment

    public init(_ configuration: AuthConfiguration, _ environment: Environment) {
        self.configuration = configuration
        self.environment = environment.trusting(configuration.provider.authorities)
    }

    /// Runs all tests: a line for each that passed, and a diagnostic for each problem.
    public func run() -> (lines: [String], diagnostics: [Diagnostic]) {
        let url = configuration.metadataURL
        let provider = Provider(metadataURL: url, environment: environment)
        let snapshot: Provider.Snapshot
        do { snapshot = try provider.current() } catch {
            let remedy = OAuthErrorResponse(error: "", description: error.description).remedy
            let advice = Self.advice(about: url, error.description)
            return ([], [Self.error(error.description, remedy ?? advice)])
        }
        let metadata = snapshot.metadata
        var lines = ["'\(url.text)' is the discovery document of '\(metadata.issuer)'"]
        let count = snapshot.keys.keys.count
        lines.append("'\(metadata.keySetURL.text)' has \(count) signing keys")
        let page = authorization(metadata, configuration.redirectURI.text)
        var answers = [
            clock(page), signature(metadata), responseMode(metadata), redirectURI(page, metadata),
        ]
        if metadata.isEntra { answers.append(signedOutURI(metadata)) }
        if metadata.isPushed(configuration) { answers.append(pushedRequest(metadata)) }
        answers.append(credential(metadata))
        if configuration.provider.graphPollSeconds > 0 { answers.append(graph(metadata)) }
        lines += answers.compactMap(\.line)
        if metadata.isEntra {
            lines.append(
                "not checked: the claim 'login_hint', groups and assignments; sign in once, then "
                    + "read the log line 'signed in'"
            )
        }
        return (lines, answers.compactMap(\.diagnostic))
    }

    private typealias Answer = (line: String?, diagnostic: Diagnostic?)
    private typealias Page = (response: HTTPResponse, body: [UInt8])

    /// Advice for a discovery document that cannot be read.
    private static func advice(about url: WebURL, _ problem: String) -> String {
        if problem.contains("cannot be reached") {
            return "if the host is right, look at DNS, at the firewall, and at "
                + "'HTTPS_PROXY' if this machine needs a proxy"
        }
        if url.isLikeEntra {
            return "'authority' must be 'https://login.microsoftonline.com/<tenant id>' with "
                + "nothing behind the tenant id, or the host of another cloud"
        }
        return "'oidc_authority' must be exactly the provider's issuer; '\(url.text)' must "
            + "answer with the discovery document in JSON"
    }

    private static func error(_ message: String, _ remedy: String?) -> Diagnostic {
        Diagnostic(
            .error,
            message,
            at: nil,
            notes: remedy.map { [Diagnostic.Note($0)] } ?? []
        )
    }

    /// Compares the allowed algorithms with those that the provider offers.
    private func signature(_ metadata: ProviderMetadata) -> Answer {
        let names = metadata.signingAlgorithms
        let allowed = configuration.provider.idTokenAlgorithms
        let offered = Set(names.compactMap(SignatureAlgorithm.init(named:)))
        let missing = allowed.subtracting(offered)
        if names.isEmpty || missing.isEmpty { return (nil, nil) }
        let list = names.map { "'\(DisplayText.clean($0, maximumLength: 32))'" }
            .prefix(20).joined(separator: ", ")
        let text = "the provider signs ID tokens with \(list)"
        guard missing == allowed else {
            let message = "\(text); 'id_token_algorithms' need not allow \(missing.names)"
            return (nil, Diagnostic(.warning, message, at: nil))
        }
        let remedy = offered.isEmpty ? nil : "'id_token_algorithms' may allow \(offered.names)"
        return (nil, Self.error("\(text); it must offer \(allowed.names)", remedy))
    }

    /// Compares this machine's clock with the provider's.
    private func clock(_ page: Page?) -> Answer {
        guard let date = page?.response.headerFields[.date].flatMap(HTTPDate.seconds) else {
            return (nil, nil)
        }
        let ahead = environment.now() - date
        guard abs(ahead) > Self.clockTolerance else { return (nil, nil) }
        let direction = ahead > 0 ? "ahead of" : "behind"
        return (
            nil,
            Self.error(
                "the clock of this machine is \(abs(ahead)) s \(direction) the provider's",
                "run 'timedatectl set-ntp true'"
            )
        )
    }

    /// Half of what ID tokens may differ by.
    private static let clockTolerance = 150

    /// The answer to an authorization request as a browser makes it in which no account is signed
    /// in; `nil` if the endpoint cannot be reached.
    ///
    /// Entra redirects to a registered redirect URI, and shows an error page otherwise.
    private func authorization(_ metadata: ProviderMetadata, _ uri: String) -> Page? {
        let parameters = parameters(uri)
        let pushed = metadata.isPushed(configuration) ? try? push(parameters, metadata) : nil
        let query = pushed.map {
            [("client_id", configuration.clientID), ("request_uri", $0)]
        }
        let endpoint = metadata.authorizationEndpoint
        let path =
            endpoint.path + (endpoint.query.isEmpty ? "?" : endpoint.query + "&")
            + Form.encode(query ?? parameters)
        let request = HTTPRequest(.get, endpoint, path: path, [.accept: "text/html"])
        return try? environment.send(request, [])
    }

    private func parameters(_ uri: String) -> [(String, String)] {
        [
            ("client_id", configuration.clientID), ("response_type", "code"),
            ("redirect_uri", uri), ("scope", configuration.scope),
            ("state", "siteauth-check-config"), ("nonce", "siteauth-check-config"),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("code_challenge_method", "S256"), ("prompt", "none"),
        ]
    }

    private func push(
        _ parameters: [(String, String)],
        _ metadata: ProviderMetadata
    ) throws -> String {
        guard let endpoint = metadata.pushedRequestEndpoint else {
            let remedy = "remove 'pushed_authorization_requests'"
            throw TokenExchange.Failure.unusable("the provider's metadata name none; \(remedy)")
        }
        let client = ClientAuthentication(configuration, environment)
        let proof = try client.proof(for: metadata, isPush: true, at: environment.now())
        let exchange = TokenExchange(configuration: configuration, environment: environment)
        return try exchange.requestURI(for: parameters, proof: proof, at: endpoint)
    }

    /// Tests whether the provider takes authorization requests from this site.
    private func pushedRequest(_ metadata: ProviderMetadata) -> Answer {
        let endpoint =
            metadata.pushedRequestEndpoint?.text ?? "pushed_authorization_request_endpoint"
        do {
            _ = try push(parameters(configuration.redirectURI.text), metadata)
            return ("'\(endpoint)' takes authorization requests of this client", nil)
        } catch { return (nil, Self.problem(error, at: endpoint)) }
    }

    /// Whether the provider sends a browser to a redirect URI.
    private static func isRegistered(_ uri: String, _ page: Page) -> Bool {
        page.response.headerFields[.location]?.hasPrefix(uri + "?") == true
    }

    /// What the provider does not like about the request, beyond that nobody is signed in (OpenID
    /// Connect Core 1.0, section 3.1.2.6).
    private static func problem(toldBy page: Page) -> Diagnostic? {
        let usual = [
            "login_required", "interaction_required", "consent_required",
            "account_selection_required",
        ]
        let query = page.response.headerFields[.location]?.split(separator: "?").last
        guard let form = query.flatMap({ Form(String($0)) }), let error = form["error"],
            !usual.contains(error)
        else { return nil }
        let refusal = OAuthErrorResponse(
            error: error,
            description: form["error_description"] ?? ""
        )
        let text = "the provider refuses authorization requests: \(refusal.explainedSummary)"
        return Self.error(text, refusal.remedy)
    }

    /// Whether the provider answers as the configuration wants.
    private func responseMode(_ metadata: ProviderMetadata) -> Answer {
        let mode = configuration.provider.responseMode
        guard let offered = metadata.responseModes, !offered.contains(mode.rawValue) else {
            return (nil, nil)
        }
        let text = "the provider has no 'response_mode' '\(mode.rawValue)'"
        return (nil, Self.error(text, nil))
    }

    private static func refusal(_ page: Page) -> OAuthErrorResponse {
        OAuthErrorResponse(error: "", description: String(decoding: page.body, as: UTF8.self))
    }

    /// Tests the redirect URI to which Entra returns readers after they signed out.
    private func signedOutURI(_ metadata: ProviderMetadata) -> Answer {
        let uri = "\(configuration.redirectURI.origin)/auth/signed-out"
        guard let page = authorization(metadata, uri) else { return (nil, nil) }
        if Self.isRegistered(uri, page) {
            return ("the redirect URI '\(uri)' is registered", nil)
        }
        // Any other error is told of 'redirect_uri'.
        guard Self.refusal(page).number == "AADSTS50011" else { return (nil, nil) }
        let message =
            "the redirect URI '\(uri)' is not registered, so readers stay on a page of Microsoft "
            + "after signing out"
        let remedy = "add exactly this URI under 'Authentication' for the platform 'Web'"
        return (nil, Diagnostic(.warning, message, at: nil, notes: [Diagnostic.Note(remedy)]))
    }

    private func redirectURI(_ page: Page?, _ metadata: ProviderMetadata) -> Answer {
        let endpoint = metadata.authorizationEndpoint
        let uri = configuration.redirectURI.text
        guard let answer = page else {
            return (nil, Self.error("'\(endpoint.text)' cannot be reached", nil))
        }
        if Self.isRegistered(uri, answer) {
            if let problem = Self.problem(toldBy: answer) { return (nil, problem) }
            return ("the redirect URI '\(uri)' is registered", nil)
        }
        let refusal = Self.refusal(answer)
        guard let remedy = refusal.remedy, let number = refusal.number else {
            let status = answer.response.status.code
            let target = Provider.redirectText(answer.response)
            let message =
                "unknown whether the redirect URI '\(uri)' is registered: "
                + "'\(endpoint.text)' answered \(status)\(target)"
            let remedy =
                "compare it letter for letter with the redirect URIs of the client at the "
                + "provider, then sign in once: for a redirect URI that is not registered, the "
                + "provider shows an error"
            return (nil, Diagnostic(.warning, message, at: nil, notes: [Diagnostic.Note(remedy)]))
        }
        if number == "AADSTS50011" {
            let message = "the redirect URI '\(uri)' is not registered (\(number))"
            return (nil, Self.error(message, remedy))
        }
        return (nil, Self.error("'\(endpoint.text)' shows the error \(number)", remedy))
    }

    /// Redeems a made-up code; providers authenticate the client before they look at the code.
    private func credential(_ metadata: ProviderMetadata) -> Answer {
        let endpoint = metadata.tokenEndpoint
        do {
            let client = ClientAuthentication(configuration, environment)
            let proof = try client.proof(for: metadata, at: environment.now())
            let exchange = TokenExchange(configuration: configuration, environment: environment)
            _ = try exchange.tokens(
                code: "siteauth-check-config",
                verifier: "siteauth-check-config-has-no-code-to-redeem",
                proof: proof,
                at: endpoint
            )
            return (
                nil, Self.error("'\(endpoint.text)' accepted a made-up authorization code", nil)
            )
        } catch TokenExchange.Failure.refused(let refusal, let status) {
            if refusal.isAboutTheCode {
                return ("'\(endpoint.text)' knows the client and its credential", nil)
            }
            let text = "'\(endpoint.text)' answered \(status) \(refusal.explainedSummary)"
            guard refusal.isAboutTheClient else {
                return (
                    "unknown whether the provider knows the client and its credential: \(text)", nil
                )
            }
            return (nil, Self.error(text, refusal.remedy))
        } catch { return (nil, Self.problem(error, at: endpoint.text)) }
    }

    /// Asks Microsoft Graph as the service does for `graph_poll_seconds`, but about nobody.
    private func graph(_ metadata: ProviderMetadata) -> Answer {
        do throws(GraphFailure) {
            let client = ClientAuthentication(configuration, environment)
            var graph = try GraphClient(metadata, client, configuration, environment, requests: 2)
            _ = try GraphAccount.all(in: graph.get(GraphAccount.probe))
            _ = try GraphGroupChanges(graph.get(GraphGroupChanges.start([])), from: graph.origin)
            return ("'\(graph.origin.text)' answers about accounts and groups", nil)
        } catch { return (nil, Self.error("Microsoft Graph: \(error)", nil)) }
    }

    private static func problem(_ error: any Error, at endpoint: String) -> Diagnostic {
        switch error {
        case TokenExchange.Failure.refused(let refusal, let status):
            let text = "'\(endpoint)' answered \(status) \(refusal.explainedSummary)"
            return Self.error(text, refusal.remedy)
        case TokenExchange.Failure.unreachable(let reason),
            TokenExchange.Failure.unavailable(let reason),
            TokenExchange.Failure.unusable(let reason):
            return Self.error("'\(endpoint)': \(reason)", nil)
        case ClientAuthentication.Failure.unusable(let reason),
            ClientAuthentication.Failure.unreachable(let reason):
            return Self.error(reason, nil)
        default: return Self.error("\(error)", nil)
        }
    }
}
