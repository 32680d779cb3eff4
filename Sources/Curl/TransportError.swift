/// Why no response came back; the request may have arrived all the same.
public struct TransportError: Error, Equatable, CustomStringConvertible {
    /// A text without secrets: the host and what went wrong, never a query or a body.
    public let description: String
    /// Whether the client's ``HTTPClient/NetworkScope`` excludes the address; nothing was sent
    /// then.
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
