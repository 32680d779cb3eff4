import POSIX
import Redis
import RelyingParty

/// The list of ended sessions: in a folder of this machine, or in a Redis for several machines.
enum RevocationList: Sendable {
    case folder(RevocationFolder)
    case redis(RevocationRedis)

    /// Seconds for which an entry is kept: longer than any session may last.
    ///
    /// It is independent of the configuration and has a day to spare, so that neither a clock that
    /// was ahead nor a longer lifetime in the configuration revives an ended session.
    static let memory = 31 * 86_400

    /// - Parameters:
    ///   - state: the folder of this machine.
    ///   - report: called when the Redis becomes unreachable, and when it is reachable again.
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

    /// Records that a session at the provider may have sessions here until `time`.
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

    /// The number of entries of each kind; `nil` with Redis, which is not counted.
    var counts: (ended: Int, providerSessions: Int)? {
        if case .folder(let folder) = self { return folder.counts }
        return nil
    }

    /// Why the list is unreliable, if that is known, for the operator.
    func problem() -> String? {
        if case .redis(let redis) = self { return redis.lookAtPolicy() }
        return nil
    }

    /// Removes old entries from the folder, or tests that Redis still keeps its entries; for the
    /// maintenance thread, once a minute.
    func maintain(at now: Int) throws(SystemError) {
        switch self {
        case .folder(let folder): try folder.clean(at: now)
        case .redis(let redis): redis.lookAtPolicy()
        }
    }
}
