import Access
import MicrosoftGraph
import SiteauthConfiguration

/// What one round of questions ends, and what it tells.
struct WatchRound {
    let storage: Storage
    private(set) var events: [Event] = []
    /// The first question that was not answered.
    private(set) var failure: GraphFailure?
    /// Whether everything was asked.
    var isComplete = true

    init(storage: Storage) { self.storage = storage }

    /// Keeps a failure until the others have been asked about, unless Graph wants no questions.
    mutating func note(_ failure: GraphFailure) throws(GraphFailure) {
        if case .throttled = failure { throw failure }
        self.failure = self.failure ?? failure
    }

    mutating func report(_ level: Event.Level, _ text: String, as kind: Event.Kind) {
        events.append(Event(level: level, text: text, kind: kind))
    }

    /// Whether all sessions that the account began here have ended already.
    func hasEnded(_ account: WatchedAccount) -> Bool {
        let date: NumericDate? = storage.revocations([account.name])?.first ?? nil
        return date.map { $0 >= account.verifiedAt } ?? false
    }

    /// Ends the sessions of an account.
    mutating func end(
        _ account: WatchedAccount,
        because reason: String
    ) throws(GraphFailure) {
        // Another machine, or an earlier round, has done it.
        guard !hasEnded(account) else { return }
        try revoke(account.name)
        var event = Event(
            level: .notice,
            text: "ended the sessions of '\(account.objectID)': \(reason)",
            kind: .revocation
        )
        event.subject.user = account.objectID
        events.append(event)
    }

    /// Ends the sessions of everybody in a group of the site.
    ///
    /// Graph tells of a deletion twice: when the group can be restored, and when not any more. The
    /// sessions end once an hour.
    mutating func end(_ group: GroupDefinition, now: NumericDate) throws(GraphFailure) {
        let revocation = Revocation.group(group.name)
        let date: NumericDate? = storage.revocations([revocation.name])?.first ?? nil
        if let date, date > now - 3600 { return }
        for name in revocation.names { try revoke(name) }
        let text = "ended the sessions of the group '\(group.name)': its group at Entra is deleted"
        report(.notice, text, as: .revocation)
    }

    private func revoke(_ name: String) throws(GraphFailure) {
        guard storage.revoke(name) else {
            throw .unwritable("the list of ended sessions cannot be written")
        }
    }
}
