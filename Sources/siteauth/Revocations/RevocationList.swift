import ArgumentParser
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
    ///   - state: the folder of this machine; `nil` for a command that ends no session.
    ///   - report: called when a problem with Redis begins and when it ends.
    init(
        _ configuration: AuthConfiguration,
        state: String?,
        report: @escaping @Sendable (Event.Level, String) -> Void
    ) throws {
        let folder = state.map { RevocationFolder($0) }
        guard let settings = configuration.session.redis else {
            self = .folder(folder ?? RevocationFolder("."))
            return
        }
        let servers = settings.addresses.map { address in
            let endpoint: RedisServer.Endpoint =
                switch address.endpoint {
                case .host(let host, let port): .host(host, port: port)
                case .socket(let path): .socket(path: path)
                }
            return RedisServer(
                endpoint: endpoint,
                isEncrypted: address.isEncrypted,
                user: address.user,
                password: address.password,
                database: address.database
            )
        }
        let tls = TLSSettings(
            authorities: settings.authorities,
            certificate: settings.certificate,
            key: settings.key
        )
        do throws(RedisError) {
            let client = try RedisClient(servers, tls)
            self = .redis(RevocationRedis(client, folder, configuration, report: report))
        } catch {
            report(.error, "'redis': \(error)")
            throw ExitCode.failure
        }
    }

    func create() throws(SystemError) {
        switch self {
        case .folder(let folder): try folder.create()
        case .redis(let redis): try redis.folder?.create()
        }
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

    /// `nil` without Redis.
    var redisGauges: Gauges.Redis? {
        if case .redis(let redis) = self { return redis.gauges }
        return nil
    }

    /// Whether several machines share the list.
    var isShared: Bool {
        if case .redis = self { true } else { false }
    }

    /// Why the list is unreliable, if that is known; it is also reported.
    func problem() -> String? {
        if case .redis(let redis) = self { return redis.fetchInfo()?.problem }
        return nil
    }

    /// Finds a Redis that is back; for the maintenance thread, once a second.
    func resync() {
        if case .redis(let redis) = self { redis.resync() }
    }

    /// Removes old entries from the folder, and tests that Redis keeps and takes entries; for the
    /// maintenance thread, once a minute.
    func maintain(at now: Int) throws(SystemError) {
        switch self {
        case .folder(let folder): try folder.clean(at: now)
        case .redis(let redis):
            if redis.fetchInfo() != nil { redis.canWrite() }
            try redis.folder?.clean(at: now)
        }
    }
}
