import POSIX
import Redis
import RelyingParty
import SiteauthConfiguration

/// The list of ended sessions: in a folder of this machine, or in a Redis for several machines.
protocol RevocationList: Sendable {
    /// Makes the folders.
    func create() throws(SystemError)
    /// The time of the last revocation under each name; `nil` if the list cannot be read.
    func dates(of names: [String]) -> [Int?]?
    /// - Returns: whether the revocation is safe.
    func add(_ name: String) -> Bool
    /// Records that a session at the provider may have sessions here until `time`.
    func noteProviderSession(_ name: String, until time: Int) -> Bool
    /// Whether a session at the provider is recorded; `nil` if the list cannot be read.
    func knowsProviderSession(_ name: String) -> Bool?
    /// Records that an account has signed in at this machine.
    func noteAccount(_ name: String, at time: Int) -> Bool
    /// The accounts that have signed in at this machine since a time; `nil` if the list cannot be
    /// read.
    func accounts(since time: Int) -> [(name: String, date: Int)]?
    /// The number of entries of each kind; `nil` with Redis, which is not counted.
    var counts: (ended: Int, providerSessions: Int)? { get }
    /// `nil` without Redis.
    var redisGauges: Gauges.Redis? { get }
    /// Why the list is unreliable, if that is known; it is also reported.
    func problem() -> String?
    /// Finds a Redis that is back; for the maintenance thread, once a second.
    func resync()
    /// Removes old entries from the folder, and tests that Redis keeps and takes entries; for the
    /// maintenance thread, once a minute.
    func maintain(at now: Int) throws(SystemError)
}

extension RevocationList {
    /// Whether several machines share the list.
    var isShared: Bool { redisGauges != nil }
}

extension AuthConfiguration {
    /// The list that the configuration asks for.
    ///
    /// - Parameters:
    ///   - state: the folder of this machine; `nil` for a command that ends no session.
    ///   - report: called when a problem with Redis begins and when it ends.
    /// - Returns: `nil` where there can be no list; the reason is reported.
    func revocationList(
        state: String?,
        report: @escaping @Sendable (Event.Level, String) -> Void
    ) -> (any RevocationList)? {
        let folder = state.map { RevocationFolder($0) }
        if let problem = folder?.formatProblem {
            report(.error, problem)
            return nil
        }
        guard let settings = session.redis else {
            return folder ?? RevocationFolder(".")
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
            return RevocationRedis(client, folder, self, report: report)
        } catch {
            report(.error, "'redis': \(error)")
            return nil
        }
    }
}
