import Access
import HTTPTypes
import SiteauthConfiguration

/// Answers every request that nginx sends to siteauth, depending on request, environment and
/// storage only.
///
///     check(path, release, cookie) → 204, 401 or 403
///     identity(…)                  → the same, with header fields about the reader
///     outcome(of: request)         → the response of a `Route`, or a wait for the provider
public final class RelyingParty: Sendable {
    public let configuration: AuthConfiguration
    public let metrics: Metrics

    private let environment: Environment
    private let storage: Storage
    private let provider: Provider
    private let client: ClientAuthentication
    let sessions: Sessions
    private let tokens: IdentityTokens
    private let check: Check
    private let signIn: SignIn
    private let callback: Callback
    private let signOut: SignOut
    private let frontChannelSignOut: FrontChannelSignOut
    private let backChannelSignOut: BackChannelSignOut
    private let account: Account
    private let watch: AccountWatch
    private let operation: Operation

    /// - Parameters:
    ///   - metrics: may count events that the program reports itself.
    ///   - gauges: the state of the program, for metrics.
    ///   - former: the instance that this one replaces after a change of the configuration. Its
    ///     counters go on, and so do its keys if the provider is the same.
    public init(
        _ configuration: AuthConfiguration,
        _ environment: Environment,
        _ storage: Storage,
        metrics: Metrics = Metrics(),
        gauges: @escaping @Sendable () -> Gauges = { Gauges() },
        replacing former: RelyingParty? = nil
    ) {
        self.configuration = configuration
        self.storage = storage
        let metrics = former?.metrics ?? metrics
        self.metrics = metrics
        let authorities = configuration.provider.authorities
        let environment = metrics.measuring(environment.trusting(authorities))
        self.environment = environment
        let isSameProvider =
            former?.configuration.metadataURL == configuration.metadataURL
            && former?.configuration.provider.authorities == authorities
        provider =
            former.flatMap { isSameProvider ? $0.provider : nil }
            ?? Provider(
                metadataURL: configuration.metadataURL,
                environment: environment,
                storage: storage
            )
        client = ClientAuthentication(configuration, environment)
        let keys = KeyRing(
            secrets: configuration.cookieSecrets,
            instance: configuration.instance,
            random: environment.random
        )
        sessions = Sessions(
            keys: keys,
            attributes: CookieAttributes(isSecure: configuration.redirectURI.scheme == "https"),
            idleSeconds: configuration.idleSeconds,
            lifetimeSeconds: configuration.lifetimeSeconds,
            settings: configuration.session,
            revocations: storage.revocations
        )
        tokens = IdentityTokens(
            origin: configuration.origin,
            keys: keys,
            algorithm: configuration.session.identityTokenAlgorithm.rawValue
        )
        check = Check(sessions: sessions, storage: storage, tokens: tokens, metrics: metrics)
        signIn = SignIn(
            configuration: configuration,
            environment: environment,
            provider: provider,
            keys: keys,
            sessions: sessions,
            storage: storage
        )
        callback = Callback(
            configuration: configuration,
            environment: environment,
            provider: provider,
            keys: keys,
            sessions: sessions,
            storage: storage,
            signIn: signIn,
            client: client,
            memory: former?.callback.memory ?? CallbackMemory()
        )
        signOut = SignOut(
            configuration: configuration,
            provider: provider,
            keys: keys,
            sessions: sessions,
            storage: storage
        )
        frontChannelSignOut = FrontChannelSignOut(provider: provider, storage: storage)
        backChannelSignOut = BackChannelSignOut(
            clientID: configuration.clientID,
            algorithms: configuration.provider.idTokenAlgorithms,
            provider: provider,
            storage: storage
        )
        account = Account(
            configuration: configuration,
            sessions: sessions,
            signOut: signOut,
            storage: storage
        )
        watch = AccountWatch(
            configuration: configuration,
            environment: environment,
            provider: provider,
            storage: storage,
            client: client,
            // The token of one application and directory says nothing about another one's.
            memory: former.flatMap {
                isSameProvider && $0.configuration.clientID == configuration.clientID
                    ? $0.watch.memory : nil
            } ?? AccountWatch.Memory()
        )
        operation = Operation(
            provider: provider,
            storage: storage,
            client: client,
            watch: watch,
            metrics: metrics,
            gauges: gauges
        )
    }

    /// Answers nginx's question whether a file may be served: 204, 401 or 403.
    ///
    /// - Parameters:
    ///   - path: the path that nginx is about to serve, decoded (`$uri`).
    ///   - release: the folder that nginx is about to serve from.
    ///   - cookie: the browser's `Cookie` header field.
    ///   - fetch: the browser's Fetch Metadata.
    ///   - address: the IP address of the client, for the audit.
    public func check(
        path: String?,
        release: String?,
        cookie: String?,
        fetch: FetchMetadata,
        address: String? = nil
    ) -> Response {
        let question = CheckQuestion(
            path: path,
            release: release,
            cookie: cookie,
            fetch: fetch,
            address: address
        )
        return check.respond(to: question, at: environment.now())
    }

    /// Answers nginx's question whether a request may reach an application, and names the reader in
    /// header fields.
    ///
    /// - Parameters:
    ///   - target: the address as the browser wrote it (`$request_uri`), if the application gets that
    ///     instead of the decoded path.
    ///   - address: the IP address of the client, for the audit.
    ///   - audience: the path of the application that wants a signed token; `nil` for none.
    public func identity(
        path: String?,
        target: String? = nil,
        release: String?,
        cookie: String?,
        fetch: FetchMetadata,
        address: String? = nil,
        audience: String? = nil
    ) -> Response {
        let question = CheckQuestion(
            path: path,
            release: release,
            cookie: cookie,
            fetch: fetch,
            address: address,
            isForApplication: true,
            target: target
        )
        return check.identity(question, audience: audience, at: environment.now())
    }

    /// Answers requests for sign-in, sign-out and siteauth's other pages.
    ///
    /// Nothing here waits for the provider; the list of ended sessions may be on another machine. A
    /// request that must wait becomes ``Outcome/wait(_:)``, for ``finish(_:_:)`` on a thread that may.
    public func outcome(of request: Request) -> Outcome {
        let now = environment.now()
        let outcome: Outcome =
            switch request.route {
            case .signIn: signIn.outcome(of: request, at: now)
            case .callback: callback.outcome(of: request, at: now)
            case .signOut: .answer(signOut.respond(to: request, at: now))
            case .signedOut: .answer(signOut.signedOut(request))
            case .frontChannelSignOut:
                .answer(frontChannelSignOut.respond(to: request, at: now))
            case .backChannelSignOut: backChannelSignOut.outcome(of: request, at: now)
            case .forbidden: .answer(forbidden(request, at: now))
            case .account: .answer(account.page(request, at: now))
            case .me: .answer(account.json(request, at: now))
            case .keys: .answer(request.method == .get ? tokens.keySet : Self.notFound())
            }
        guard case .answer(let response) = outcome else { return outcome }
        guard let pushed = response.pushed else { return .answer(completed(response, request)) }
        let path = pushed.returnPath
        let queue: Waiting.Queue = pushed.session == nil ? .signIn : .revalidation
        return .wait(
            Waiting(queue: queue, since: now, returnPath: path) { _ in
                response
            } refusal: {
                _ in
                response
            }
        )
    }

    /// Answers operators.
    public func status(_ page: StatusPage) -> Response {
        operation.respond(to: page, at: environment.now())
    }

    /// Calls the provider for a waiting request, and answers it.
    public func finish(_ waiting: Waiting, _ request: Request) -> Response {
        let now = environment.now()
        if waiting.isTooLate(at: now) { return refuse(waiting, request) }
        let response = callback.push(waiting.answer(now), request, at: now)
        return completed(response.onTheWay(to: waiting.returnPath), request)
    }

    /// Answers a request that finds its queue full.
    public func refuse(_ waiting: Waiting, _ request: Request) -> Response {
        let now = environment.now()
        let response = callback.crowded(waiting.refusal(now), request, at: now)
        return completed(response.onTheWay(to: waiting.returnPath), request)
    }

    /// Answers a request on the calling thread, and waits for the provider if necessary.
    public func respond(to request: Request) -> Response {
        switch outcome(of: request) {
        case .answer(let response): response
        case .wait(let waiting): finish(waiting, request)
        }
    }

    private func completed(_ response: Response, _ request: Request) -> Response {
        var response = response.onTheWay(to: request.wantedURI)
        for event in response.events { metrics.count(event) }
        for kind in response.counted { metrics.count(kind) }
        if let page = response.page {
            let languages = request.release.flatMap(storage.languages)
            let language = languages?.preferred(request.headerFields[.acceptLanguage])
            response.body = page.framed(language ?? .english, request)
                .bytes(in: request.release.flatMap(storage.frame))
        }
        return response
    }

    /// The answer to a path without a route.
    public static func notFound() -> Response { Response(.notFound) }

    /// Fetches metadata and keys if they are old or a request waits for them; for a thread of its
    /// own.
    ///
    /// - Returns: the event to log, if there is one.
    public func refreshProvider() -> Event? {
        switch provider.refresh() {
        case .nothingToDo: nil
        case .fetched: Event(level: .notice, text: "keys fetched", kind: .keyRefresh)
        case .failed(let error):
            Event(level: .warning, text: "keys not fetched: \(error)", kind: .keyRefresh)
        }
    }

    /// Asks Microsoft Graph about those who have signed in, if `secrets.toml` says so and it is time;
    /// for a thread of its own.
    ///
    /// - Returns: the events to log.
    public func watchAccounts() -> [Event] { watch.poll() }

    /// The reasons why readers cannot be served.
    ///
    /// - Parameter withRevocations: whether the list of ended sessions is read.
    public func problems(withRevocations: Bool) -> [String] {
        operation.problems(at: environment.now(), withRevocations: withRevocations)
    }

    /// Why pages of the current release are refused that have to be audited; `nil` if they are not.
    public func auditProblem() -> String? {
        let policy = storage.currentRelease().flatMap(storage.policy)
        return policy.flatMap { Self.auditProblem($0, storage.auditProblem) }
    }

    /// - Parameter reason: why lines of the audit cannot be written; asked only if some are due.
    public static func auditProblem(_ policy: AccessPolicy, _ reason: () -> String?) -> String? {
        guard !policy.auditedGroups.isEmpty, let reason = reason() else { return nil }
        let names = policy.auditedGroups.sorted().joined(separator: ", ")
        return "pages for audited groups (\(names)) are refused: \(reason)"
    }

    /// A warning if the credential has expired or expires soon.
    public func credentialWarning() -> Event? {
        client.warning(at: environment.now()).map { Event(level: .warning, text: $0) }
    }

    private func forbidden(_ request: Request, at now: NumericDate) -> Response {
        // Only nginx sends readers here, and it says which page they asked for.
        guard let wanted = request.wantedPath else { return Self.notFound() }
        let session = sessions.live(in: request.cookie, at: now)
        let path = ReturnPath.carried(
            request.wantedURI,
            callbackPath: configuration.redirectURI.path
        )
        let admission = session.map { check.admission(of: $0, to: request, at: now) }
        guard request.isForPage else {
            // RFC 9470 has this error for what only a page can mend.
            if case .unconfirmed = admission {
                return .json(.forbidden, #"{"error":"insufficient_user_authentication"}"#)
            }
            return .json(.forbidden, #"{"error":"forbidden"}"#)
        }
        if admission == .admitted, let problem = auditProblem() {
            return ReaderPage.auditFails.response(request).logging(.error, problem)
        }
        return ReaderPage.forbidden(session, returnPath: path, request)
            .logging(
                .notice,
                "forbidden '\(wanted)' to '\(session?.objectID ?? "")'",
                as: .forbidden,
                about: Event.Subject(session)
            )
    }
}
