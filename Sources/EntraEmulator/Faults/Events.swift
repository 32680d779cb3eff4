import Jansson
import Synchronization

/// The latest events, so that a test can see what an application did.
final class Events: Sendable {
    private static let limit = 500

    private let events = Mutex<[JSON]>([])

    func add(_ event: JSON) {
        events.withLock { events in
            events.append(event)
            if events.count > 2 * Self.limit { events.removeFirst(Self.limit) }
        }
    }

    /// All events, the newest last.
    var all: [JSON] { events.withLock { Array($0.suffix(Self.limit)) } }

    func clear() { events.withLock { $0 = [] } }
}
