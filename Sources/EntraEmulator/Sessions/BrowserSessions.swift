import Synchronization

/// The accounts that are signed in in each browser: Microsoft's single sign-on session.
final class BrowserSessions: Sendable {
    struct Session: Sendable {
        /// The `sid` claim of its tokens, and `session_state`.
        let id: String
        /// The accounts in the order of signing in.
        var accounts: [SignedIn] = []

        func account(_ objectID: String) -> SignedIn? {
            accounts.first { $0.objectID == objectID }
        }
    }

    struct SignedIn: Sendable {
        let objectID: String
        /// When credentials were last entered, in seconds since 1970: `auth_time`.
        var authenticatedAt: Int
        var hasSecondFactor: Bool
        /// The client ids of the applications signed in to.
        var applications: [String] = []
    }

    static let cookieName = "ESTSAUTHPERSISTENT"

    private let sessions = Mutex(RecentValues<Session>(limit: 10_000))

    subscript(cookie: String) -> Session? { sessions.withLock { $0[cookie] } }

    /// Adds an account to the session of a browser, or an application to a signed-in account.
    ///
    /// - Parameter isFresh: whether credentials were entered just now.
    func signIn(
        _ objectID: String,
        to clientID: String,
        cookie: String,
        newID: String,
        now: Int,
        isFresh: Bool,
        hasSecondFactor: Bool
    ) -> (session: Session, account: SignedIn) {
        sessions.withLock { sessions in
            var session = sessions[cookie] ?? Session(id: newID)
            var account =
                session.account(objectID)
                ?? SignedIn(objectID: objectID, authenticatedAt: now, hasSecondFactor: false)
            if isFresh { account.authenticatedAt = now }
            account.hasSecondFactor = account.hasSecondFactor || hasSecondFactor
            if !account.applications.contains(clientID) { account.applications.append(clientID) }
            session.accounts.removeAll { $0.objectID == objectID }
            session.accounts.append(account)
            sessions[cookie] = session
            return (session, account)
        }
    }

    /// Removes an account; a session without accounts ends.
    ///
    /// - Returns: the sign-in that was removed.
    func signOut(_ objectID: String, cookie: String) -> SignedIn? {
        sessions.withLock { sessions in
            let account = sessions[cookie]?.account(objectID)
            sessions[cookie]?.accounts.removeAll { $0.objectID == objectID }
            if sessions[cookie]?.accounts.isEmpty == true { sessions[cookie] = nil }
            return account
        }
    }

    /// Ends all sessions of an account, as an administrator does.
    func revoke(_ objectID: String) {
        sessions.withLock { sessions in
            for cookie in sessions.keys {
                sessions[cookie]?.accounts.removeAll { $0.objectID == objectID }
                if sessions[cookie]?.accounts.isEmpty == true { sessions[cookie] = nil }
            }
        }
    }
}
