/// The address, credentials and time limit of a Redis.
public struct RedisServer: Sendable, Equatable {
    public enum Endpoint: Sendable, Equatable {
        case host(String, port: Int)
        case socket(path: String)
    }

    public let endpoint: Endpoint
    /// Whether the connection uses TLS, always or never.
    public let isEncrypted: Bool
    public let user: String
    public let password: String
    public let database: Int
    /// The time limit for each round trip; a new connection may take twice as long, or less if there
    /// are many servers to ask.
    public let timeoutMilliseconds: Int

    public init(
        endpoint: Endpoint,
        isEncrypted: Bool = false,
        user: String = "",
        password: String = "",
        database: Int = 0,
        timeoutMilliseconds: Int = 250
    ) {
        self.endpoint = endpoint
        self.isEncrypted = isEncrypted
        self.user = user
        self.password = password
        self.database = database
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// The address for messages, without user and password.
    var name: String {
        switch endpoint {
        case .host(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket(let path): path
        }
    }
}
