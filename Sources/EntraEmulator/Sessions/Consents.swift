import Synchronization

/// Who has agreed that an application learns who they are.
final class Consents: Sendable {
    private let given = Mutex<Set<String>>([])

    /// - Parameter by: the object id of somebody, or the id of a tenant whose administrator did.
    func give(to clientID: String, by: String) {
        _ = given.withLock { $0.insert("\(clientID) \(by)") }
    }

    func has(_ clientID: String, by: String) -> Bool {
        given.withLock { $0.contains("\(clientID) \(by)") }
    }
}
