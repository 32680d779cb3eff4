import Synchronization

/// Who is signed in at the emulator in which browser: Microsoft's single sign-on session.
final class BrowserSessions: Sendable {
    struct Session: Sendable {
        /// The `sid` claim of its tokens.
        let id: String
        /// Object ids, the last one signed in last.
        var users: [String]
    }

    static let cookieName = "ESTSAUTHPERSISTENT"

    private let sessions = Mutex<[String: Session]>([:])

    subscript(cookie: String) -> Session? { sessions.withLock { $0[cookie] } }

    /// Adds somebody to the session of a browser.
    func signIn(_ user: String, cookie: String, newID: String) -> Session {
        sessions.withLock { sessions in
            var session = sessions[cookie] ?? Session(id: newID, users: [])
            session.users.removeAll { $0 == user }
            session.users.append(user)
            sessions[cookie] = session
            return session
        }
    }

    /// Takes somebody out; a session without anybody is gone.
    func signOut(_ user: String, cookie: String) {
        sessions.withLock { sessions in
            sessions[cookie]?.users.removeAll { $0 == user }
            if sessions[cookie]?.users.isEmpty == true { sessions[cookie] = nil }
        }
    }
}
