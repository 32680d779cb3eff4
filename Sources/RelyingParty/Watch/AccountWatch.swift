import Access
import Jansson
import MicrosoftGraph
import SiteauthConfiguration
import Synchronization

/// Asks Microsoft Graph about those who have signed in, and ends the sessions of those who may not
/// read any more: by the same list, and the same names, as `siteauth revoke`.
///
/// Whatever Graph answers lets nobody in. A failure ends no session: it is told once, and the next
/// attempt waits longer.
///
///     question            asked about                   ends the sessions of
///     /users              who signed in here            disabled and deleted accounts, and those whose
///                                                       sign-ins were revoked since
///     /groups/delta       the site's security groups    who joined or left one, directly; everybody in
///                                                       a deleted one
struct AccountWatch: Sendable {
    /// Requests to Graph in one round; what is left waits for the next one.
    static let maximumRequests = 50
    /// Of these, the number that is kept for groups.
    private static let groupRequests = 10
    /// The longest pause after a failure, in seconds.
    private static let longestPause = 3600
    /// The same where Graph names no time.
    private static let usualPause = 900
    /// Seconds after a change within which Entra may still sign somebody in as before it.
    private static let delay = 300
    private static let tooSoon =
        "they began within 5 minutes after a change, which Entra may not have known yet"
    /// After so many failures in a row, a list of groups is asked for anew.
    private static let lastingFailures = 10

    /// What a reload of the configuration keeps; never written anywhere.
    final class Memory: Sendable {
        fileprivate let state = Mutex(State())
    }

    fileprivate struct State {
        var token: GraphClient.Token?
        /// Since when sign-ins count, as Graph said last, by the account.
        var validFrom: [String: NumericDate] = [:]
        /// The account that the last round asked about last, if it did not ask about all.
        var position = ""
        /// Where to go on with each list of groups.
        var links: [[String]: String] = [:]
        /// What was last heard of each member; Graph may tell a change twice.
        var memberships: [GraphGroupChanges.Membership: Bool] = [:]
        /// When sessions that began shortly after a change end as well, by the account.
        var endAgainAt: [String: NumericDate] = [:]
        var nextAt: NumericDate?
        var begunAt: NumericDate?
        var completedAt: NumericDate?
        var failures = 0
        /// The causes of failures since the last complete round; each is reported once.
        var causes: Set<String> = []
    }

    let configuration: AuthConfiguration
    let environment: Environment
    let provider: Provider
    let storage: Storage
    let client: ClientAuthentication
    let memory: Memory
    var requests = maximumRequests

    private var interval: Int { configuration.provider.graphPollSeconds }

    /// When Graph last answered all questions, or else the first one was due.
    var completedAt: NumericDate? {
        interval > 0 ? memory.state.withLock { $0.completedAt ?? $0.begunAt } : nil
    }

    /// Asks Graph if it is time; for a thread of its own.
    ///
    /// - Returns: what to log.
    func poll() -> [Event] {
        let now = environment.now()
        guard interval > 0 else { return [] }
        var state = memory.state.withLock { state in
            state.begunAt = state.begunAt ?? now
            return state
        }
        // After the clock was put back, the time may be far away.
        let isDue = state.nextAt.map { !(1...Self.longestPause).contains($0 - now) } ?? true
        guard isDue, let metadata = provider.known else { return [] }
        var round = WatchRound(storage: storage)
        do throws(GraphFailure) {
            try ask(metadata, &state, &round, at: now)
            if state.completedAt == nil, round.isComplete {
                round.report(.notice, "accounts are watched", as: .accountWatch)
            } else if state.failures > 0 {
                round.report(.notice, "accounts are watched again", as: .accountWatch)
            }
            (state.failures, state.causes) = (0, [])
            state.nextAt = now + interval
            if round.isComplete { state.completedAt = now }
        } catch {
            state.failures += 1
            // A round may take minutes.
            state.nextAt = environment.now() + pause(after: error, failures: state.failures)
            if state.causes.count < 10, state.causes.insert("\(error)").inserted {
                let text = "accounts are not watched, which ends no session: \(error)"
                round.report(.warning, text, as: .accountWatch)
            }
        }
        memory.state.withLock { $0 = state }
        return round.events
    }

    private func pause(after failure: GraphFailure, failures: Int) -> Int {
        switch failure {
        case .throttled(_, let seconds?): min(max(seconds, interval), Self.longestPause)
        // A permission may be given any moment, and a disk be emptied.
        case .refused(let status, _, _) where status < 500: interval
        case .unwritable: interval
        default: max(interval, min(interval << min(failures, 10), Self.usualPause))
        }
    }

    private func ask(
        _ metadata: ProviderMetadata,
        _ state: inout State,
        _ round: inout WatchRound,
        at now: NumericDate
    ) throws(GraphFailure) {
        var graph = try GraphClient(
            metadata,
            client,
            configuration,
            environment,
            token: state.token,
            requests: requests
        )
        defer { state.token = graph.token }
        let issuer = WebURL(metadata.issuer)
        guard let tenant = issuer.flatMap({ DisplayText.guid($0.firstSegment) }) else {
            throw .failed("the provider's metadata name no tenant")
        }
        let oldest = now - configuration.lifetimeSeconds - Sessions.clockSkew
        guard let noted = storage.accounts(oldest) else {
            throw .failed("the list of those who signed in cannot be read")
        }
        let accounts = noted.compactMap {
            WatchedAccount($0.name, at: $0.date, in: CompactText(tenant))
        }.sorted { $0.objectID < $1.objectID }
        let names = Set(accounts.map(\.name))
        state.validFrom = state.validFrom.filter { names.contains($0.key) }
        try endAgain(accounts, &state, &round, at: now)
        try look(at: accounts, &graph, &state, &round)
        try lookAtGroups(of: accounts, &graph, &state, &round)
        // After all questions: one bad answer must not keep the others from being asked.
        if let failure = round.failure { throw failure }
    }

    /// Ends sessions that Entra began shortly after a change, for they may be of somebody who was to
    /// be kept out; whoever still may read is signed in again.
    private func endAgain(
        _ accounts: [WatchedAccount],
        _ state: inout State,
        _ round: inout WatchRound,
        at now: NumericDate
    ) throws(GraphFailure) {
        for account in accounts {
            guard let time = state.endAgainAt[account.name], time <= now else { continue }
            if account.verifiedAt < time {
                try round.end(account, because: Self.tooSoon)
            }
            state.endAgainAt[account.name] = nil
        }
        state.endAgainAt = state.endAgainAt.filter { $0.value > now }
    }

    // MARK: - Accounts

    private func look(
        at accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) {
        // Where the last round had to stop, this one goes on.
        let start = accounts.firstIndex { $0.objectID > state.position } ?? 0
        var rest = (accounts[start...] + accounts[..<start])[...]
        while !rest.isEmpty, graph.requestsLeft > Self.groupRequests + 1 {
            let part = rest.prefix(GraphClient.batch * GraphAccount.filtered)
            rest = rest.dropFirst(part.count)
            // What fails now comes last in the next round.
            state.position = part.last?.objectID ?? ""
            let missing = try lookTogether(at: Array(part), &graph, &state, &round)
            try lookOneByOne(at: missing, &graph, &state, &round)
        }
        if rest.isEmpty { state.position = "" }
        // Of very many accounts, the round that comes to the end completes those before it.
        if start < rest.count { round.isComplete = false }
    }

    /// - Returns: accounts that Graph does not name.
    private func lookTogether(
        at accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) -> [WatchedAccount] {
        let lists = stride(from: 0, to: accounts.count, by: GraphAccount.filtered).map {
            accounts[$0..<min($0 + GraphAccount.filtered, accounts.count)]
        }
        let answers = try graph.answers(to: lists.map { GraphAccount.path($0.map(\.objectID)) })
        var missing: [WatchedAccount] = []
        for (list, answer) in zip(lists, answers) {
            do throws(GraphFailure) {
                let found = try GraphAccount.all(in: graph.accepted(answer))
                for account in list {
                    guard let said = found[account.objectID] else {
                        missing.append(account)
                        continue
                    }
                    try judge(account, said, &state, &round)
                }
            } catch { try round.note(error) }
        }
        return missing
    }

    private func judge(
        _ account: WatchedAccount,
        _ said: GraphAccount,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) {
        // At the first look, what happened since the sign-in counts. Graph's clock may be another one.
        let known = state.validFrom[account.name] ?? account.verifiedAt - Sessions.clockSkew
        let validFrom = said.sessionsValidFrom ?? known
        if !said.isEnabled {
            try round.end(account, because: "the account is disabled")
        } else if validFrom > known {
            try end(account, because: "its sign-ins at Entra were revoked", &state, &round)
        }
        // A copy of the directory that is behind may say the time before.
        state.validFrom[account.name] = max(validFrom, known)
    }

    private func end(
        _ account: WatchedAccount,
        because reason: String,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) {
        try round.end(account, because: reason)
        state.endAgainAt[account.name] = environment.now() + Self.delay
    }

    /// Asks for accounts that a list lacks one by one: an answer that was cut must end nothing.
    private func lookOneByOne(
        at missing: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) {
        var rest = missing.filter { !round.hasEnded($0) }[...]
        while !rest.isEmpty, graph.requestsLeft > Self.groupRequests {
            let asked = Array(rest.prefix(GraphClient.batch))
            rest = rest.dropFirst(asked.count)
            let answers = try graph.answers(to: asked.map { GraphAccount.path($0.objectID) })
            for (account, answer) in zip(asked, answers) {
                do throws(GraphFailure) {
                    if GraphAccount.isDeleted(answer) {
                        try round.end(account, because: "the account is deleted")
                    } else {
                        let said = try GraphAccount.one(in: graph.accepted(answer))
                        try judge(account, said, &state, &round)
                    }
                } catch { try round.note(error) }
            }
        }
        if !rest.isEmpty { round.isComplete = false }
    }

    // MARK: - Groups

    private func lookAtGroups(
        of accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout WatchRound
    ) throws(GraphFailure) {
        // Without the list of groups, none may be forgotten.
        guard let definitions = storage.currentRelease().flatMap(storage.policy)?.groups else {
            throw .failed("the policy of the release cannot be read\(storage.policyReason)")
        }
        let ids = Set(definitions.flatMap(\.groups).compactMap(DisplayText.guid)).sorted()
        let lists = stride(from: 0, to: ids.count, by: GraphGroupChanges.filtered).map {
            Array(ids[$0..<min($0 + GraphGroupChanges.filtered, ids.count)])
        }
        // A release with other groups may be rolled back.
        if state.links.count > Self.groupRequests {
            state.links = state.links.filter { lists.contains($0.key) }
        }
        let known = Dictionary(accounts.map { ($0.objectID, $0) }) { first, _ in first }
        state.memberships = state.memberships.filter { known[$0.key.member] != nil }
        for (number, list) in lists.enumerated() {
            // Endless changes of one list leave questions for the others.
            let kept = lists.count - 1 - number
            var isLast = false
            do throws(GraphFailure) {
                while !isLast, graph.requestsLeft > kept {
                    let changes = try changes(of: list, &graph, &state)
                    for (change, isMember) in changes.memberships {
                        guard let account = known[change.member],
                            state.memberships[change] != isMember
                        else { continue }
                        let names = definitions.filter { $0.isFed(by: [change.group]) }.map(\.name)
                        let reason =
                            "the account has \(isMember ? "joined" : "left") the security group"
                            + " '\(change.group)' of \(names.joined(separator: ", "))"
                        try end(account, because: reason, &state, &round)
                        state.memberships[change] = isMember
                    }
                    for group in definitions where group.isFed(by: changes.deletedGroups) {
                        try round.end(group, now: environment.now())
                    }
                    (state.links[list], isLast) = (changes.next, changes.isLast)
                }
            } catch { try round.note(error) }
            if !isLast { round.isComplete = false }
        }
    }

    private func changes(
        of groups: [String],
        _ graph: inout GraphClient,
        _ state: inout State
    ) throws(GraphFailure) -> GraphGroupChanges {
        let link = state.links[groups]
        do throws(GraphFailure) {
            let body = try graph.get(link ?? GraphGroupChanges.start(groups))
            return try GraphGroupChanges(body, from: graph.origin)
        } catch {
            // Graph forgets after some days where somebody was; the next round begins anew.
            if case .refused(let status, _, _) = error, [400, 404, 410].contains(status) {
                state.links[groups] = nil
            }
            // An answer that can never be used would keep later changes away for ever.
            if state.failures >= Self.lastingFailures { state.links[groups] = nil }
            throw error
        }
    }
}

extension GroupDefinition {
    /// Whether members of one of these security groups are in the group.
    fileprivate func isFed(by ids: [String]) -> Bool {
        groups.contains { DisplayText.guid($0).map(ids.contains) ?? false }
    }
}
