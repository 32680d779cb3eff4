import Synchronization

/// The consents that users and administrators have given.
final class Consents: Sendable {
    private let given = Mutex<Set<String>>([])

    /// - Parameter by: the object id of a user, or the id of a tenant whose administrator
    ///   consented.
    func give(to clientID: String, by: String) {
        _ = given.withLock { $0.insert("\(clientID) \(by)") }
    }

    func has(_ clientID: String, by: String) -> Bool {
        given.withLock { $0.contains("\(clientID) \(by)") }
    }
}
