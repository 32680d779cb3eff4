/// The Redis with the list of ended sessions for several machines.
public struct RedisSettings: Sendable, Equatable {
    /// One server, or several of which one is the primary and the others are its replicas.
    public var addresses: [RedisAddress]
    /// The certificate authorities that count for TLS, in PEM; `nil` for those of the machine.
    public var authorities: [UInt8]?
    /// The certificate that siteauth shows, and its key, in PEM.
    public var certificate: [UInt8]?
    public var key: [UInt8]?
}
