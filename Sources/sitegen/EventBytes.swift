import FlyingSocks

/// The body of a response that never ends: each event is sent when it occurs.
struct EventBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    let events: AsyncStream<[UInt8]>

    func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate var events: AsyncStream<[UInt8]>.Iterator
        private var rest: ArraySlice<UInt8> = []

        fileprivate init(events: AsyncStream<[UInt8]>.Iterator) { self.events = events }

        mutating func next() async -> UInt8? { await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async -> ArraySlice<UInt8>? {
            if rest.isEmpty { rest = await events.next()?[...] ?? [] }
            if rest.isEmpty { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
    }
}
