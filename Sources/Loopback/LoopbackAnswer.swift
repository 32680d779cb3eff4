import HTTPTypes

/// The answer to one request.
public struct LoopbackAnswer: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Each part is sent when it is there.
        ///
        /// The next part is asked for when the one before has been sent. If the parts end before
        /// the announced number of bytes, the connection breaks off.
        case parts(AsyncStream<[UInt8]>, announcedBytes: Int? = nil)
    }

    public var head: HTTPResponse
    public var body: Body

    public init(_ head: HTTPResponse, _ body: Body = .bytes([])) {
        self.head = head
        self.body = body
    }
}
