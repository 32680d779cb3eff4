import Access
import EntraEmulator
import HTTPTypes
import OpenSSL
import Synchronization

@testable import RelyingParty
@testable import SiteauthConfiguration

/// A site, a browser and Entra in one process: the emulator is siteauth's network, and this plays
/// nginx's part between them.
final class World: Sendable {
    struct State {
        var now = 1_800_000_000
        var policy = World.policy
        var currentRelease: String? = World.release
        var revoked: [String: NumericDate] = [:]
        var isRevocationListReadable = true
        /// How often the list was read.
        var revocationReads = 0
        /// Not on a full disk.
        var isRevocationListWritable = true
        /// The sessions at the provider that were noted, and until when.
        var providerSessions: [String: NumericDate] = [:]
        /// The accounts that were noted, and when.
        var accounts: [String: NumericDate] = [:]
        /// What Entra answers instead of the emulator.
        var answer: (@Sendable (HTTPRequest, [UInt8]) -> (HTTPResponse, [UInt8])?)?
        /// The paths of requests to Graph.
        var graphPaths: [String] = []
        /// Lines of the audit, and why further ones cannot be written.
        var audit: [String] = []
        var auditProblem: String?
        /// How many of the next calls to Entra go through; the one after does not.
        var sendsLeft = Int.max
        var sends = 0
        /// Requests to the metadata service of the machine.
        var machineSends = 0
        var siteCookies: [String: String] = [:]
        var entraCookie: String?
        /// What the configuration may name.
        var files: [String: FileSnapshot] = [:]
        /// The metadata that were kept.
        var kept: [UInt8]?
    }

    enum Outcome {
        case page
        case response(Response)

        var response: Response? {
            guard case .response(let response) = self else { return nil }
            return response
        }
    }

    struct Unreachable: Error {}
    struct Misconfigured: Error { let problems: String }

    /// Made anew each time: siteauth refuses secrets that anybody can read somewhere.
    static let cookieSecret = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }
    static let otherCookieSecret = AuthConfiguration.newCookieSecret { RandomBytes.next($0) }

    static let release = "/site/releases/1"
    static let navigation: HTTPFields = [.secFetchMode: "navigate", .accept: "text/html"]

    static let policy: AccessPolicy = {
        let policy = AccessPolicy(
            groups: [
                GroupDefinition(name: "hr", roles: ["HR"]),
                GroupDefinition(name: "board", groups: ["b0a2d000-0000-4000-8000-00000000b0a2"]),
            ],
            rules: [
                .init(path: "/", audience: .signedIn), .init(path: "/public/", audience: .public),
                .init(path: "/hr/", audience: .groups(["hr"])),
                .init(path: "/board/", audience: .groups(["board"])),
            ]
        )
        guard let policy else { fatalError("the policy of the tests is none") }
        return policy
    }()

    /// Made once: they take longer than the tests.
    private static let keys: SigningKeys? = {
        guard let directory = Directory.parse(Array(Directory.builtIn.utf8), path: "").directory
        else { return nil }
        return try? SigningKeys(for: directory)
    }()

    let state = Mutex(State())
    let relyingParty: RelyingParty
    let environment: Environment
    let storage: Storage
    let emulator: Emulator

    /// The lines of [auth] by which Larkspur's handbook is known.
    static let larkspur = """
        client_id = "22222222-bbbb-4000-8000-000000000002"
        client_secret = "emulated~secret.is-no-secret_at-all"
        authority = "http://localhost:8081/11111111-aaaa-4000-8000-000000000001"
        """

    /// - Parameters:
    ///   - settings: further lines of [auth].
    ///   - registration: the lines that say who we are and at whom.
    ///   - tenants: the emulator's file.
    ///   - files: what both files may name.
    ///   - kept: the metadata of an earlier process.
    init(
        _ settings: String = "",
        baseURL: String = "http://localhost:8080",
        cookieSecret: String = "\"\(World.cookieSecret)\"",
        registration: String = World.larkspur,
        tenants: String = Directory.builtIn,
        files: [String: [UInt8]] = [:],
        variables: [String: String] = [:],
        kept: [UInt8]? = nil
    ) throws {
        let toml = """
            [auth]
            redirect_uri = "\(baseURL)/auth/callback"
            cookie_secret = \(cookieSecret)
            \(registration)
            \(settings)
            """
        let found = files.mapValues { FileSnapshot(bytes: $0, isAccessibleToOthers: false) }
        let parsed = AuthConfiguration.parse(
            Array(toml.utf8),
            path: "secrets.toml",
            environment: variables,
            now: 1_800_000_000,
            readFile: { found[$0] }
        )
        let directory = Directory.parse(Array(tenants.utf8), path: "", read: { files[$0] })
        guard let configuration = parsed.configuration, let directory = directory.directory else {
            throw Misconfigured(problems: "\(parsed.diagnostics) \(directory.diagnostics)")
        }
        // The closures below need the world, which needs them.
        let box = Mutex<World?>(nil)
        let weakWorld: @Sendable () -> World? = { box.withLock { $0 } }
        var environment = Environment(
            now: { weakWorld()?.state.withLock(\.now) ?? 1_800_000_000 },
            random: { RandomBytes.next($0) },
            send: { request, body in
                guard let world = weakWorld() else { throw Unreachable() }
                let mayPass = world.state.withLock { state in
                    state.sends += 1
                    state.sendsLeft -= 1
                    return state.sendsLeft >= 0
                }
                guard mayPass else { throw Unreachable() }
                let path = request.path ?? ""
                let replaced = world.state.withLock { state in
                    if path.hasPrefix("/v1.0/") { state.graphPaths.append(path) }
                    return state.answer
                }
                if let answer = replaced?(request, body) { return answer }
                let answer = world.emulator.respond(to: EmulatorRequest(request, body: body))
                return (answer.http, answer.body)
            }
        )
        environment.readFile = { path in weakWorld()?.state.withLock { $0.files[path] } }
        environment.sendToMachine = { request, body in
            guard let world = weakWorld(), let origin = Origin("http://localhost:8082") else {
                throw Unreachable()
            }
            world.state.withLock { $0.machineSends += 1 }
            let answer = Administration(world.emulator, at: origin).respond(
                to: EmulatorRequest(request, body: body)
            )
            return (answer.http, answer.body)
        }
        var storage = Storage(
            policy: { $0 == World.release ? weakWorld()?.state.withLock(\.policy) : nil },
            frame: { _ in nil },
            revocations: { names in
                weakWorld()?.state.withLock { state in
                    state.revocationReads += 1
                    return state.isRevocationListReadable ? names.map { state.revoked[$0] } : nil
                }
            },
            revoke: { name in
                weakWorld()?.state.withLock { state in
                    guard state.isRevocationListReadable, state.isRevocationListWritable else {
                        return false
                    }
                    state.revoked[name] = state.now
                    return true
                } ?? false
            }
        )
        storage.currentRelease = { weakWorld()?.state.withLock(\.currentRelease) }
        storage.audit = { line in
            weakWorld()?.state.withLock { state in
                if state.auditProblem == nil { state.audit.append(line) }
                return state.auditProblem == nil
            } ?? false
        }
        storage.auditProblem = { weakWorld()?.state.withLock(\.auditProblem) }
        storage.noteProviderSession = { name, until in
            weakWorld()?.state.withLock { state in
                guard state.isRevocationListReadable, state.isRevocationListWritable else {
                    return false
                }
                state.providerSessions[name] = until
                return true
            } ?? false
        }
        storage.knowsProviderSession = { name in
            weakWorld()?.state.withLock { state in
                state.isRevocationListReadable ? state.providerSessions[name] != nil : nil
            }
        }
        storage.noteAccount = { name, now in
            weakWorld()?.state.withLock { state in
                if state.isRevocationListWritable { state.accounts[name] = now }
                return state.isRevocationListWritable
            } ?? false
        }
        storage.accounts = { since in
            weakWorld()?.state.withLock { state in
                guard state.isRevocationListReadable else { return nil }
                return state.accounts.filter { $0.value >= since }.map { ($0.key, $0.value) }
            }
        }
        storage.keptMetadata = { kept }
        storage.keepMetadata = { bytes in
            weakWorld()?.state.withLock { $0.kept = bytes }
            return true
        }
        self.environment = environment
        self.storage = storage
        relyingParty = RelyingParty(configuration, environment, storage)
        guard let keys = Self.keys, let base = Origin("http://localhost:8081") else {
            throw Unreachable()
        }
        emulator = Emulator(
            directory,
            base: base,
            keys: keys,
            now: { weakWorld()?.state.withLock(\.now) ?? 0 },
            random: { RandomBytes.next($0) }
        )
        box.withLock { $0 = self }
        state.withLock { $0.files = found }
    }

    func advance(seconds: Int) { state.withLock { $0.now += seconds } }

    /// Sends a request to siteauth with the browser's cookies, and keeps those that it sets.
    @discardableResult
    func send(
        _ route: Route,
        _ method: HTTPRequest.Method = .get,
        query: String = "",
        fields: HTTPFields = World.navigation,
        body: String = "",
        wanted: String? = nil
    ) -> Response {
        let response = relyingParty.respond(
            to: request(
                route,
                method,
                query: query,
                fields: fields,
                body: body,
                wanted: wanted
            )
        )
        keepCookies(of: response)
        return response
    }

    /// A request as the browser sends it.
    func request(
        _ route: Route,
        _ method: HTTPRequest.Method = .get,
        query: String = "",
        fields: HTTPFields = World.navigation,
        body: String = "",
        wanted: String? = nil,
        network: String? = nil
    ) -> Request {
        var fields = fields
        fields[.cookie] = fields[.cookie] ?? cookie
        return Request(
            route: route,
            method: method,
            query: query,
            headerFields: fields,
            body: Array(body.utf8),
            wantedURI: wanted,
            release: World.release,
            clientAddress: network,
            reference: "5f2c91aa"
        )
    }

    /// The header field with the browser's cookies, if there are any.
    var cookie: String? {
        let cookies = state.withLock { $0.siteCookies.map { "\($0.key)=\($0.value)" }.sorted() }
        return cookies.isEmpty ? nil : cookies.joined(separator: "; ")
    }

    /// Another process that does the same with the same disk.
    func restarted() -> RelyingParty {
        RelyingParty(relyingParty.configuration, environment, storage)
    }

    private func keepCookies(of response: Response) {
        for field in response.http.headerFields[fields: .setCookie] {
            let pair = field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            state.withLock { state in
                let isDeleted = field.value.hasSuffix("Max-Age=0")
                state.siteCookies[String(pair[0])] = isDeleted ? nil : String(pair[1])
            }
        }
    }

    /// Asks as nginx does, with the browser's cookies or those given, and keeps those that are set.
    @discardableResult
    func check(
        _ path: String?,
        cookie: String? = nil,
        fields: HTTPFields = World.navigation
    ) -> HTTPResponse.Status {
        let response = relyingParty.check(
            path: path,
            release: World.release,
            cookie: cookie ?? self.cookie,
            fetch: FetchMetadata(fields),
            address: "192.0.2.7"
        )
        keepCookies(of: response)
        return response.http.status
    }

    /// Opens a page as nginx would: asks, then serves it, or hands over to siteauth.
    func get(_ target: String, fields: HTTPFields = World.navigation) -> Outcome {
        let path = String(target.prefix { $0 != "?" })
        switch check(path, fields: fields) {
        case .noContent: return .page
        case .unauthorized: return .response(send(.signIn, fields: fields, wanted: target))
        default: return .response(send(.forbidden, fields: fields, wanted: target))
        }
    }

    /// Picks an account at the emulator.
    ///
    /// - Parameters:
    ///   - url: of the authorization request.
    ///   - approves: whether the second factor is approved.
    /// - Returns: the query with which the browser is sent to the callback.
    func pick(_ objectID: String?, at url: String, approves: Bool = false) -> String? {
        guard let start = url.firstRange(of: "://")?.upperBound,
            let path = url[start...].firstIndex(of: "/")
        else { return nil }
        var fields: HTTPFields = [:]
        if let cookie = state.withLock(\.entraCookie) { fields[.cookie] = cookie }
        let request = HTTPRequest(
            method: objectID == nil ? .get : .post,
            scheme: "http",
            authority: String(url[start..<path]),
            path: String(url[path...]),
            headerFields: fields
        )
        let approval = approves ? "&approved=1" : ""
        let body = objectID.map { Array("account=\($0)&consent=accept\(approval)".utf8) } ?? []
        let answer = emulator.respond(to: EmulatorRequest(request, body: body))
        if let cookie = answer.http.headerFields[.setCookie] {
            state.withLock { $0.entraCookie = String(cookie.prefix { $0 != ";" }) }
        }
        guard let location = answer.http.headerFields[.location],
            let question = location.firstIndex(of: "?")
        else { return nil }
        return String(location[location.index(after: question)...])
    }

    /// Signs somebody in on the way to a page.
    ///
    /// - Returns: where the browser is sent at last.
    @discardableResult
    func signIn(_ objectID: String, wanting target: String = "/") -> Response {
        let begun = send(.signIn, wanted: target)
        guard let url = begun.http.headerFields[.location],
            let query = pick(objectID, at: url)
        else { return begun }
        return send(.callback, query: query)
    }
}

enum Person {
    static let alice = "a11ce000-0000-4000-8000-00000000000a"
    static let bob = "b0b00000-0000-4000-8000-00000000000b"
    static let carol = "ca401000-0000-4000-8000-00000000000c"
    static let soren = "504e4000-0000-4000-8000-00000000000d"
}
