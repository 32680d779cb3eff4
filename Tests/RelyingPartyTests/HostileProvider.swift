import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Synchronization

@testable import RelyingParty
@testable import SiteauthConfiguration

/// A provider whose every document a test may falsify, a browser, and siteauth between them.
struct HostileProvider: Sendable {
    /// What a provider can be to siteauth.
    enum Kind: String, CaseIterable, Sendable {
        case entra, organizations, standard
        /// As ``standard``, with another algorithm.
        case ps256, es256, ed25519

        var isEntra: Bool { self == .entra || self == .organizations }

        var algorithm: SignatureAlgorithm {
            switch self {
            case .entra, .organizations, .standard: .rs256
            case .ps256: .ps256
            case .es256: .es256
            case .ed25519: .ed25519
            }
        }

        /// The URL below which the discovery document lies.
        var base: String {
            switch self {
            case .entra: "https://login.microsoftonline.com/\(TokenFactory.tenant)/v2.0"
            case .organizations: "https://login.microsoftonline.com/organizations/v2.0"
            default: "https://id.example.com"
            }
        }

        var issuer: String { isEntra ? TokenFactory.issuer : base }
    }

    /// Where a lie stands.
    enum Document: String, Sendable {
        case metadata, keySet, key, header, claims, answer, userInfo
    }

    static let accessToken = "an-access-token"
    static let accessTokenHash = Base64URL.encode(
        Array(Digest.sha256(Array(accessToken.utf8)).prefix(16))
    )
    /// The same beside a signature of Ed25519.
    static let longAccessTokenHash = Base64URL.encode(
        Array(Digest.sha512(Array(accessToken.utf8)).prefix(32))
    )

    let kind: Kind
    /// Changes the members of a document, and says which of them is written twice.
    var falsify: @Sendable (Document, inout JSON.Members) -> String? = { _, _ in nil }

    private func text(_ document: Document, _ members: JSON.Members) -> String {
        var members = members
        let twice = falsify(document, &members)
        let names = members.names + (twice.map { [$0] } ?? [])
        let parts = names.map { "\(JSON.string($0).text):\((members[$0] ?? .null).text)" }
        return "{\(parts.joined(separator: ","))}"
    }

    func metadata() -> String {
        let base = kind.base
        var members: JSON.Members = [
            "issuer": .string(kind.issuer), "authorization_endpoint": .string(base + "/authorize"),
            "token_endpoint": .string(base + "/token"), "jwks_uri": .string(base + "/keys"),
            "end_session_endpoint": .string(base + "/logout"),
            "claims_supported": ["sub", "iss"],
        ]
        if kind.isEntra {
            members["cloud_instance_name"] = "microsoftonline.com"
            members["msgraph_host"] = "graph.microsoft.com"
        }
        if !kind.isEntra { members["userinfo_endpoint"] = .string(base + "/userinfo") }
        if kind == .organizations {
            members["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0"
        }
        return text(.metadata, members)
    }

    func keySet() throws -> String {
        let key =
            try kind.isEntra
            ? TokenFactory.webKey().members : TokenFactory.webKey(for: kind.algorithm)
        let text = text(.key, key ?? [:])
        let keys: JSON = [(try? JSON(parsing: Array(text.utf8))) ?? "what is no key"]
        return self.text(.keySet, ["keys": keys])
    }

    func token(nonce: String) throws -> String {
        var claims = TokenFactory().claims
        claims["iss"] = .string(kind.issuer)
        claims["nonce"] = .string(nonce)
        if !kind.isEntra { for name in ["ver", "tid", "oid"] { claims[name] = nil } }
        var header = TokenFactory().header
        header["alg"] = .string(kind.algorithm.rawValue)
        let parts = [text(.header, header), text(.claims, claims)]
        let input = parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let signature = try TokenFactory.signature(kind.algorithm, of: Array(input.utf8))
        return "\(input).\(Base64URL.encode(signature))"
    }

    func answer(nonce: String) throws -> String {
        text(
            .answer,
            [
                "token_type": "Bearer", "expires_in": 3600,
                "access_token": .string(Self.accessToken),
                "id_token": .string(try token(nonce: nonce)),
            ]
        )
    }
}

extension HostileProvider {
    /// What came of a sign-in.
    struct Outcome: Sendable {
        /// The last answer to the browser.
        let response: Response
        /// What the check says of pages for everybody who is signed in, for 'hr' and for 'board'.
        let root, hr, board: HTTPResponse.Status
        let objectID: String?
    }

    /// Signs somebody in, as far as the provider's lies let them come.
    ///
    /// - Parameters:
    ///   - algorithms: the allow-list; by default, what a lie may choose from.
    ///   - callback: what the provider adds to the query of its authorization response.
    func signIn(
        settings: String = "",
        algorithms: [String] = SignatureAlgorithm.allCases.map(\.rawValue),
        callback: String = "&session_state=x"
    ) throws -> Outcome {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = "\(World.cookieSecret)"
            client_id = "\(TokenFactory.client)"
            client_secret = "a~secret.of-the_test"
            server_metadata_url = "\(kind.base)/.well-known/openid-configuration"
            \(kind == .organizations ? "allowed_tenants = [\"\(TokenFactory.tenant)\"]" : "")
            \(kind == .organizations ? "role_tenants = [\"\(TokenFactory.tenant)\"]" : "")
            \(kind.isEntra ? "" : "id_token_algorithms = \(algorithms)")
            \(settings)
            """
        let configuration = try Self.configuration(toml)
        let nonce = Mutex("")
        let environment = Environment(
            now: { TokenFactory.now },
            random: { RandomBytes.next($0) },
            send: { request, _ in
                let path = request.path ?? ""
                let text =
                    switch path.split(separator: "/").last {
                    case "openid-configuration": metadata()
                    case "keys": try keySet()
                    case "userinfo": text(.userInfo, ["sub": "subject"])
                    case "token": try answer(nonce: nonce.withLock { $0 })
                    default: throw World.Unreachable()
                    }
                return (HTTPResponse(status: .ok), Array(text.utf8))
            }
        )
        let storage = Storage(
            policy: { $0 == World.release ? World.policy : nil },
            frame: { _ in nil },
            revocations: { $0.map { _ in nil } },
            revoke: { _ in true }
        )
        let browser = HostileBrowser(RelyingParty(configuration, environment, storage))
        let begun = browser.send(.signIn, wanted: "/hr/")
        guard let location = begun.http.headerFields[.location],
            let form = Form(String(location.drop { $0 != "?" }.dropFirst())),
            let state = form["state"], let sent = form["nonce"]
        else { return browser.outcome(begun) }
        nonce.withLock { $0 = sent }
        let query = "code=c&state=\(state)\(callback)"
        return browser.outcome(browser.send(.callback, query: query))
    }
}

extension HostileProvider {
    private static let configurations = Mutex<[String: AuthConfiguration]>([:])

    /// Thousands of sign-ins have a few configurations.
    private static func configuration(_ toml: String) throws -> AuthConfiguration {
        if let known = configurations.withLock({ $0[toml] }) { return known }
        let parsed = AuthConfiguration.parse(
            Array(toml.utf8),
            path: "secrets.toml",
            environment: [:]
        )
        guard let configuration = parsed.configuration else {
            throw World.Misconfigured(problems: "\(parsed.diagnostics)")
        }
        configurations.withLock { $0[toml] = configuration }
        return configuration
    }
}

/// Keeps cookies, and nothing else.
private final class HostileBrowser: Sendable {
    private let relyingParty: RelyingParty
    private let cookies = Mutex<[String: String]>([:])

    init(_ relyingParty: RelyingParty) {
        self.relyingParty = relyingParty
        _ = relyingParty.refreshProvider()
    }

    private var cookie: String {
        cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
    }

    func send(_ route: Route, query: String = "", wanted: String? = nil) -> Response {
        var fields = World.navigation
        fields[.cookie] = cookie
        let response = relyingParty.respond(
            to: Request(
                route: route,
                method: .get,
                query: query,
                headerFields: fields,
                body: [],
                wantedURI: wanted,
                release: World.release,
                reference: "5f2c91aa"
            )
        )
        for field in response.http.headerFields[fields: .setCookie] {
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies.withLock { $0[String(pair[0])] = String(pair[1]) }
        }
        return response
    }

    func outcome(_ response: Response) -> HostileProvider.Outcome {
        func check(_ path: String) -> HTTPResponse.Status {
            relyingParty.check(
                path: path,
                release: World.release,
                cookie: cookie,
                fetch: FetchMetadata(World.navigation)
            ).http.status
        }
        let me = try? JSON(parsing: send(.me).body)
        return HostileProvider.Outcome(
            response: response,
            root: check("/"),
            hr: check("/hr/"),
            board: check("/board/"),
            objectID: me?["object_id"]?.string ?? me?["objectID"]?.string
        )
    }
}
