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
    ///   - report: told of a Redis that is lost.
    init(
        _ configuration: AuthConfiguration,
        state: String,
        report: @escaping @Sendable (String) -> Void
    ) {
        guard let address = configuration.session.redis else {
            self = .folder(RevocationFolder(state))
            return
        }
        let place: RedisServer.Place =
            switch address.place {
            case .host(let host, let port): .host(host, port: port)
            case .socket(let path): .socket(path: path)
            }
        let server = RedisServer(
            place: place,
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

    /// How many there are; `nil` where nobody can say.
    var count: Int? {
        if case .folder(let folder) = self { return folder.count }
        return nil
    }

    /// Forgets what ended sessions that would have ended by themselves; Redis does so unasked.
    func removeEntries(before time: Int) throws(SystemError) {
        if case .folder(let folder) = self { try folder.removeEntries(before: time) }
    }
}
