import FlyingSocks

/// The beginning of a body followed by an error, after which the server closes the connection.
///
/// A field `Connection: close` is not enough: the server keeps a connection open if the request
/// wants that.
struct AbortedBody: AsyncBufferedSequence {
    typealias Element = UInt8

    struct Aborted: Error {}

    struct Iterator: AsyncBufferedIteratorProtocol {
        var rest: [UInt8]

        mutating func next() async throws -> UInt8? {
            guard !rest.isEmpty else { throw Aborted() }
            return rest.removeFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            guard !rest.isEmpty else { throw Aborted() }
            defer { rest = [] }
            return rest
        }
    }

    let bytes: [UInt8]

    func makeAsyncIterator() -> Iterator { Iterator(rest: bytes) }
}
