/// Why Redis did not answer, or what it refused, for the operator.
public struct RedisError: Error, Equatable, CustomStringConvertible {
    public let description: String

    static let overdue = RedisError("Redis did not answer in time")

    public init(_ description: String) { self.description = description }
}
