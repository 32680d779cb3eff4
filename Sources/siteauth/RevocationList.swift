import POSIX
import Redis
import RelyingParty

/// What ended sessions: in a folder of this machine, or in a Redis for several.
enum RevocationList: Sendable {
    case folder(RevocationFolder)
    case redis(RevocationRedis)

    /// Seconds for which it is remembered that a session has ended: longer than any may last.
    ///
    /// It does not depend on the configuration, and has a day to spare: a clock that was ahead for
    /// a while, or a lifetime that is made longer, shall not bring an ended session back.
    static let memory = 31 * 86_400

    /// - Parameters:
    ///   - state: the folder of this machine.
    ///   - report: told of a Redis that is lost, and when it is back.
    init(
        _ configuration: AuthConfiguration,
        state: String,
        report: @escaping @Sendable (Event.Level, String) -> Void
    ) {
        guard let address = configuration.session.redis else {
            self = .folder(RevocationFolder(state))
            return
        }
        let endpoint: RedisServer.Endpoint =
            switch address.endpoint {
            case .host(let host, let port): .host(host, port: port)
            case .socket(let path): .socket(path: path)
            }
        let server = RedisServer(
            endpoint: endpoint,
            user: address.user,
            password: address.password,
            database: address.database
        )
        self = .redis(
            RevocationRedis(
                server,
                site: configuration.origin,
                report: report
            )
        )
    }

    func create() throws(SystemError) {
        if case .folder(let folder) = self { try folder.create() }
    }

    @Sendable func dates(of names: [String]) -> [Int?]? {
        switch self {
        case .folder(let folder): folder.dates(of: names)
        case .redis(let redis): redis.dates(of: names)
        }
    }

    @Sendable func add(_ name: String) -> Bool {
        switch self {
        case .folder(let folder): folder.add(name)
        case .redis(let redis): redis.add(name)
        }
    }

    /// Notes that somebody came from a session at the provider, until `time`.
    @Sendable func noteProviderSession(_ name: String, until time: Int) -> Bool {
        switch self {
        case .folder(let folder): folder.noteProviderSession(name, until: time)
        case .redis(let redis): redis.noteProviderSession(name, until: time)
        }
    }

    @Sendable func knowsProviderSession(_ name: String) -> Bool? {
        switch self {
        case .folder(let folder): folder.knowsProviderSession(name)
        case .redis(let redis): redis.knowsProviderSession(name)
        }
    }

    /// How many names there are of each kind; `nil` where nobody counts them.
    var counts: (ended: Int, providerSessions: Int)? {
        if case .folder(let folder) = self { return folder.counts }
        return nil
    }

    /// Why it cannot be relied on, if that is known; for the operator.
    func problem() -> String? {
        if case .redis(let redis) = self { return redis.lookAtPolicy() }
        return nil
    }

    /// Forgets what would have ended by itself, which Redis does unasked, and looks whether Redis
    /// still keeps the rest; for a thread of its own, once a minute.
    func maintain(at now: Int) throws(SystemError) {
        switch self {
        case .folder(let folder): try folder.clean(at: now)
        case .redis(let redis): redis.lookAtPolicy()
        }
    }
}
