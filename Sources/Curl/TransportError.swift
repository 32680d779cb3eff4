/// Why no answer came back: the request may or may not have arrived.
public struct TransportError: Error, Equatable, CustomStringConvertible {
    /// A sentence without secrets: the host and what went wrong, never the path's query or a body.
    public let description: String

    public init(_ description: String) { self.description = description }
}
