import Access
import HTTPTypes
import JOSE
import Jansson
import OpenSSL
import Synchronization

@testable import RelyingParty
@testable import SiteauthConfiguration

/// A provider that is not Entra, a site that it signs readers in at, and a browser.
///
/// It lies at an https host: on this machine, rules are laxer.
final class OtherProvider: Sendable {
    struct State {
        var now = TokenFactory.now
        /// Claims that the ID token has beyond those that it must have.
        var claims: JSON.Members = [:]
        var header: JSON.Members = ["alg": "RS256", "kid": "k1"]
        /// What its only key is for.
        var algorithm = SignatureAlgorithm.rs256
        /// What UserInfo answers; `nil` where nobody answers at all.
        var userInfo: [UInt8]? = Array(#"{"sub":"Kim"}"#.utf8)
        var userInfoStatus = 200
        var userInfoType = "application/json"
        var document: JSON.Members
        var cookies: [String: String] = [:]
        var paths: [String] = []
        var bearer: String?
        /// What the token endpoint refuses every code with.
        var tokenError: String?
        /// In the provider's own words.
        var tokenErrorDescription: String?
        /// What it says to a browser; `nil` where nobody answers.
        var authorizationAnswer: HTTPResponse?
        /// What comes instead of the discovery document.
        var documentAnswer: HTTPResponse?
        var revoked: [String: NumericDate] = [:]
        /// The sessions at the provider that were noted.
        var providerSessions: Set<String> = []
        var nonce = ""
        /// What it answers to an authorization request that is pushed; `nil` where nobody answers.
        var pushStatus: Int? = 201
        var pushAnswer: JSON = ["request_uri": "urn:example:one", "expires_in": 60]
        /// What was pushed last.
        var pushed = ""
        var pushedAuthorization: String?
    }

    struct Misconfigured: Error { let problems: String }

    static let origin = "https://id.example.com"
    static let subject = "Kim"
    static let cookieSecret = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }

    let state: Mutex<State>
    let relyingParty: RelyingParty
    let policy: AccessPolicy
    let environment: Environment

    /// - Parameters:
    ///   - settings: further lines of [auth].
    ///   - issuer: as the discovery document has it.
    ///   - group: who is in the group of `/staff/`.
    init(
        _ settings: String = "",
        issuer: String = OtherProvider.origin,
        group: GroupDefinition = GroupDefinition(name: "staff", groups: ["staff"])
    ) throws {
        let toml = """
            [auth]
            redirect_uri = "https://docs.example.com/auth/callback"
            cookie_secret = "\(Self.cookieSecret)"
            client_id = "handbook"
            client_secret = "none-of-anybodys-business"
            oidc_authority = "\(issuer)"
            \(settings)
            """
        let parsed = AuthConfiguration.parse(Array(toml.utf8), path: "", environment: [:])
        let policy = AccessPolicy(
            groups: [group],
            rules: [
                .init(path: "/", audience: .signedIn),
                .init(path: "/staff/", audience: .groups(["staff"])),
            ]
        )
        guard let configuration = parsed.configuration, let policy else {
            throw Misconfigured(problems: "\(parsed.diagnostics)")
        }
        self.policy = policy
        state = Mutex(
            State(document: [
                "issuer": .string(issuer),
                "authorization_endpoint": .string("\(Self.origin)/authorize"),
                "token_endpoint": .string("\(Self.origin)/token"),
                "jwks_uri": .string("\(Self.origin)/jwks"),
                "userinfo_endpoint": .string("\(Self.origin)/me"),
                "end_session_endpoint": .string("\(Self.origin)/logout"),
            ])
        )
        let box = Mutex<OtherProvider?>(nil)
        let provider: @Sendable () -> OtherProvider? = { box.withLock { $0 } }
        environment = Environment(
            now: { provider()?.state.withLock(\.now) ?? TokenFactory.now },
            random: { RandomBytes.next($0) },
            send: { request, body in
                guard let provider = provider() else { throw World.Unreachable() }
                return try provider.answer(request, String(decoding: body, as: UTF8.self))
            }
        )
        var storage = Storage(
            policy: { _ in policy },
            frame: { _ in nil },
            revocations: { names in
                provider()?.state.withLock { state in names.map { state.revoked[$0] } }
            },
            revoke: { name in provider()?.state.withLock { $0.revoked[name] = $0.now } != nil }
        )
        storage.noteProviderSession = { name, _ in
            provider()?.state.withLock { $0.providerSessions.insert(name) } != nil
        }
        storage.knowsProviderSession = { name in
            provider()?.state.withLock { $0.providerSessions.contains(name) }
        }
        relyingParty = RelyingParty(configuration, environment, storage)
        box.withLock { $0 = self }
    }

    private func answer(_ request: HTTPRequest, _ body: String) throws -> (HTTPResponse, [UInt8]) {
        let path = request.path ?? ""
        let state = state.withLock { state in
            state.paths.append(path)
            if path == "/me" { state.bearer = request.headerFields[.authorization] }
            if path == "/par" {
                state.pushed = body
                state.pushedAuthorization = request.headerFields[.authorization]
            }
            return state
        }
        switch path {
        case "/jwks":
            let key = try TokenFactory.webKey(for: state.algorithm)
            let set = JSON.object(["keys": [.object(key)]])
            return (HTTPResponse(status: .ok), Array(set.text.utf8))
        case "/token" where state.tokenError != nil:
            var error: JSON.Members = ["error": .string(state.tokenError ?? "")]
            if let text = state.tokenErrorDescription { error["error_description"] = .string(text) }
            return (HTTPResponse(status: .forbidden), Array(JSON.object(error).text.utf8))
        case "/token":
            let tokens: JSON = [
                "token_type": "Bearer", "access_token": "the-access-token",
                "id_token": .string(try idToken()),
            ]
            return (HTTPResponse(status: .ok), Array(tokens.text.utf8))
        case "/par":
            guard let status = state.pushStatus else { throw World.Unreachable() }
            return (HTTPResponse(status: .init(code: status)), Array(state.pushAnswer.text.utf8))
        case "/me":
            guard let body = state.userInfo else { throw World.Unreachable() }
            var response = HTTPResponse(status: .init(code: state.userInfoStatus))
            response.headerFields[.contentType] = state.userInfoType
            return (response, body)
        case _ where path.hasPrefix("/authorize?") && state.authorizationAnswer != nil:
            return (state.authorizationAnswer ?? HTTPResponse(status: .ok), [])
        case _ where path.hasSuffix("/.well-known/openid-configuration"):
            if let answer = state.documentAnswer { return (answer, []) }
            return (HTTPResponse(status: .ok), Array(JSON.object(state.document).text.utf8))
        default: throw World.Unreachable()
        }
    }

    private func idToken() throws -> String {
        let state = state.withLock { $0 }
        var claims: JSON.Members = [
            "iss": state.document["issuer"] ?? .null, "sub": .string(Self.subject),
            "aud": ["handbook"], "exp": .integer(state.now + 300), "iat": .integer(state.now),
            "nonce": .string(state.nonce),
        ]
        for name in state.claims.names { claims[name] = state.claims[name] }
        return try TokenFactory.token(.object(claims), state.header, signed: state.algorithm)
    }

    /// Sends a request with the browser's cookies, and keeps those that come back.
    @discardableResult
    func send(
        _ route: Route,
        _ method: HTTPRequest.Method = .get,
        query: String = "",
        wanted: String? = nil
    ) -> Response {
        let request = request(route, method, query: query, wanted: wanted)
        let response = relyingParty.respond(to: request)
        keepCookies(of: response)
        return response
    }

    func request(
        _ route: Route,
        _ method: HTTPRequest.Method = .get,
        query: String = "",
        wanted: String? = nil
    ) -> Request {
        var fields: HTTPFields = [
            .secFetchMode: "navigate", .secFetchSite: "same-origin", .accept: "text/html",
        ]
        fields[.cookie] = cookie
        return Request(
            route: route,
            method: method,
            query: query,
            headerFields: fields,
            wantedURI: wanted,
            release: "r",
            reference: "5f2c91aa"
        )
    }

    private func keepCookies(of response: Response) {
        for field in response.http.headerFields[fields: .setCookie] {
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            state.withLock { state in
                let isDeleted = field.value.hasSuffix("Max-Age=0")
                state.cookies[String(pair[0])] = isDeleted ? nil : String(pair[1])
            }
        }
    }

    var cookie: String {
        state.withLock { $0.cookies.map { "\($0.key)=\($0.value)" }.sorted() }
            .joined(separator: "; ")
    }

    func check(_ path: String) -> Int {
        relyingParty.check(
            path: path,
            release: "r",
            cookie: cookie,
            fetch: FetchMetadata(World.navigation)
        ).http.status.code
    }

    /// The query with which the provider sends a browser back that came with this request.
    func approve(_ response: Response, _ answer: String = "code=c") -> String? {
        guard let url = response.http.headerFields[.location],
            let query = url.split(separator: "?").last, let sent = Form(String(query)),
            let form = sent["request_uri"] == nil ? sent : Form(self.state.withLock(\.pushed)),
            let state = form["state"]
        else { return nil }
        self.state.withLock { $0.nonce = form["nonce"] ?? "" }
        return "\(answer)&state=\(state)"
    }

    /// Signs Kim in, on the way to a page.
    @discardableResult
    func signIn(wanting target: String = "/") -> Response {
        let begun = send(.signIn, wanted: target)
        guard let query = approve(begun) else { return begun }
        return send(.callback, query: query)
    }

    /// What the site says of the reader.
    var me: JSON? { try? JSON(parsing: send(.me).body) }
}
