/// The address, credentials and time limit of a Redis.
public struct RedisServer: Sendable, Equatable {
    public enum Endpoint: Sendable, Equatable {
        case host(String, port: Int)
        case socket(path: String)
    }

    public let endpoint: Endpoint
    public let user: String
    public let password: String
    public let database: Int
    /// The time limit for connecting, and for each command.
    public let timeoutMilliseconds: Int

    public init(
        endpoint: Endpoint,
        user: String = "",
        password: String = "",
        database: Int = 0,
        timeoutMilliseconds: Int = 250
    ) {
        self.endpoint = endpoint
        self.user = user
        self.password = password
        self.database = database
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
