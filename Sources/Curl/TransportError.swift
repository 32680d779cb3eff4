/// Why no answer came back: the request may or may not have arrived.
public struct TransportError: Error, Equatable, CustomStringConvertible {
    /// A sentence without secrets: the host and what went wrong, never the path's query or a body.
    public let description: String
    /// Whether the address is one that the client's reach leaves out; nothing was sent then.
    public private(set) var isRefusedAsPrivate = false

    public init(_ description: String) { self.description = description }

    static func refusedAsPrivate(_ authority: String) -> TransportError {
        var error = TransportError(
            "'\(authority)' is this machine or an address in a private network"
        )
        error.isRefusedAsPrivate = true
        return error
    }
}
