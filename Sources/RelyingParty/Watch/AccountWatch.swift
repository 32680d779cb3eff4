import Access
import Jansson
import MicrosoftGraph
import SiteauthConfiguration
import Synchronization

/// An account that has signed in here.
struct WatchedAccount: Sendable {
    /// The name of the ``Revocation`` that ends its sessions.
    let name: String
    let objectID: String
    /// When the provider last confirmed it here.
    let verifiedAt: NumericDate

    /// - Parameter tenant: the id of the tenant that Graph answers for; other accounts are `nil`.
    init?(_ name: String, at time: NumericDate, in tenant: CompactText) {
        let parts = name.split(separator: "-")
        guard parts.count == 3, parts[1].utf8.count == 32 else { return nil }
        let digits = Array(parts[1])
        objectID = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: "-")
        let object = CompactText(objectID)
        guard object.isGUID, name == Revocation.accountName(object, in: tenant) else { return nil }
        (self.name, verifiedAt) = (name, time)
    }
}

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
final class AccountWatch: Sendable {
    /// Requests to Graph in one round; what is left waits for the next one.
    static let maximumRequests = 50
    /// Of these, the number that is kept for groups.
    private static let groupRequests = 10
    /// The longest pause after a failure, in seconds.
    private static let longestPause = 3600
    /// The same where Graph names no time.
    private static let usualPause = 900

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
        var nextAt: NumericDate?
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
    let requests: Int

    init(
        _ configuration: AuthConfiguration,
        _ environment: Environment,
        _ provider: Provider,
        _ storage: Storage,
        _ client: ClientAuthentication,
        _ memory: Memory,
        requests: Int = maximumRequests
    ) {
        self.configuration = configuration
        self.environment = environment
        self.provider = provider
        self.storage = storage
        self.client = client
        self.memory = memory
        self.requests = requests
    }

    private var interval: Int { configuration.provider.graphPollSeconds }

    /// When Graph last answered all questions.
    var completedAt: NumericDate? { memory.state.withLock(\.completedAt) }

    /// Asks Graph if it is time; for a thread of its own.
    ///
    /// - Returns: what to log.
    func poll() -> [Event] {
        let now = environment.now()
        var state = memory.state.withLock(\.self)
        // After the clock was put back, the time may be far away.
        let isDue = state.nextAt.map { !(1...Self.longestPause).contains($0 - now) } ?? true
        guard interval > 0, isDue, let metadata = provider.known else { return [] }
        var round = Round(storage: storage)
        do throws(GraphFailure) {
            try ask(metadata, &state, &round, at: now)
            if state.failures > 0 {
                round.report(.notice, "accounts are watched again", as: .accountWatch)
            }
            (state.failures, state.causes) = (0, [])
            (state.completedAt, state.nextAt) = (now, now + interval)
        } catch {
            state.failures += 1
            state.nextAt = now + pause(after: error, failures: state.failures)
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
        // A permission may be given any moment.
        case .refused(let status, _) where status < 500: interval
        default: max(interval, min(interval << min(failures, 10), Self.usualPause))
        }
    }

    private func ask(
        _ metadata: ProviderMetadata,
        _ state: inout State,
        _ round: inout Round,
        at now: NumericDate
    ) throws(GraphFailure) {
        guard let origin = metadata.graph,
            let tenant = WebURL(metadata.issuer).flatMap({ DisplayText.guid($0.firstSegment) })
        else { throw .failed("the provider's metadata name no Microsoft Graph, or no tenant") }
        let oldest = now - configuration.lifetimeSeconds - Sessions.clockSkew
        guard let noted = storage.accounts(oldest) else {
            throw .failed("the list of those who signed in cannot be read")
        }
        let accounts = noted.compactMap {
            WatchedAccount($0.name, at: $0.date, in: CompactText(tenant))
        }.sorted { $0.objectID < $1.objectID }
        var graph = GraphClient(
            at: origin,
            metadata,
            client,
            configuration,
            environment,
            token: state.token,
            requests: requests
        )
        defer { state.token = graph.token }
        let names = Set(accounts.map(\.name))
        state.validFrom = state.validFrom.filter { names.contains($0.key) }
        try look(at: accounts, &graph, &state, &round)
        try lookAtGroups(of: accounts, &graph, &state, &round)
    }

    // MARK: - Accounts

    private func look(
        at accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout Round
    ) throws(GraphFailure) {
        // Where the last round had to stop, this one goes on.
        let start = accounts.firstIndex { $0.objectID > state.position } ?? 0
        var rest = (accounts[start...] + accounts[..<start])[...]
        while !rest.isEmpty, graph.requestsLeft > Self.groupRequests + 1 {
            let part = rest.prefix(GraphClient.batch * GraphAccount.filtered)
            rest = rest.dropFirst(part.count)
            let missing = try look(at: Array(part), &graph, &state.validFrom, &round)
            try lookForDeleted(missing, &graph, &round)
            state.position = part.last?.objectID ?? ""
        }
        if rest.isEmpty { state.position = "" }
    }

    /// - Returns: accounts that Graph does not name.
    private func look(
        at accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ validFrom: inout [String: NumericDate],
        _ round: inout Round
    ) throws(GraphFailure) -> [WatchedAccount] {
        let lists = stride(from: 0, to: accounts.count, by: GraphAccount.filtered).map {
            accounts[$0..<min($0 + GraphAccount.filtered, accounts.count)]
        }
        let answers = try graph.answers(to: lists.map { GraphAccount.path($0.map(\.objectID)) })
        var missing: [WatchedAccount] = []
        for (list, answer) in zip(lists, answers) {
            let body = try graph.accepted(answer)
            let found: [String: GraphAccount]
            do throws(MemberError) { found = try GraphAccount.all(in: body) } catch {
                throw .unusable(error)
            }
            for account in list {
                guard let said = found[account.objectID] else {
                    missing.append(account)
                    continue
                }
                // At the first look, what happened since the sign-in counts. Graph's clock may be
                // another one.
                let known = validFrom[account.name] ?? account.verifiedAt - Sessions.clockSkew
                let isRevoked = said.sessionsValidFrom.map { $0 > known } ?? false
                if !said.isEnabled {
                    try round.end(account, because: "the account is disabled")
                } else if isRevoked {
                    try round.end(account, because: "its sign-ins at Entra were revoked")
                }
                validFrom[account.name] = said.sessionsValidFrom ?? known
            }
        }
        return missing
    }

    /// Asks for accounts that a list lacks one by one: an answer that was cut must end nothing.
    private func lookForDeleted(
        _ missing: [WatchedAccount],
        _ graph: inout GraphClient,
        _ round: inout Round
    ) throws(GraphFailure) {
        let asked = Array(missing.filter { !round.hasEnded($0) }.prefix(GraphClient.batch))
        guard !asked.isEmpty else { return }
        let answers = try graph.answers(to: asked.map { GraphAccount.path($0.objectID) })
        for (account, answer) in zip(asked, answers) where GraphAccount.isDeleted(answer) {
            try round.end(account, because: "the account is deleted")
        }
    }

    // MARK: - Groups

    private func lookAtGroups(
        of accounts: [WatchedAccount],
        _ graph: inout GraphClient,
        _ state: inout State,
        _ round: inout Round
    ) throws(GraphFailure) {
        let definitions = storage.currentRelease().flatMap(storage.policy)?.groups ?? []
        let ids = Set(definitions.flatMap(\.groups).compactMap(DisplayText.guid)).sorted()
        let lists = stride(from: 0, to: ids.count, by: GraphGroupChanges.filtered).map {
            Array(ids[$0..<min($0 + GraphGroupChanges.filtered, ids.count)])
        }
        state.links = state.links.filter { lists.contains($0.key) }
        let known = Dictionary(accounts.map { ($0.objectID, $0) }) { first, _ in first }
        for list in lists {
            var isLast = false
            while !isLast, graph.requestsLeft > 0 {
                let changes = try changes(of: list, &graph, &state)
                for change in changes.memberships {
                    guard let account = known[change.member] else { continue }
                    let reason = "group '\(change.group)' has gained or lost the account"
                    try round.end(account, because: reason)
                }
                for group in definitions
                where group.groups.contains(where: { id in
                    DisplayText.guid(id).map(changes.deletedGroups.contains) ?? false
                }) {
                    try round.end(group)
                }
                (state.links[list], isLast) = (changes.next, changes.isLast)
            }
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
            do throws(MemberError) {
                return try GraphGroupChanges(body, from: graph.origin)
            } catch { throw GraphFailure.unusable(error) }
        } catch {
            // Graph forgets after some days where somebody was; the next round begins anew.
            if case .refused(let status, _) = error, [400, 404, 410].contains(status) {
                state.links[groups] = nil
            }
            throw error
        }
    }
}

/// What one round of questions ends, and what it tells.
private struct Round {
    let storage: Storage
    private(set) var events: [Event] = []

    init(storage: Storage) { self.storage = storage }

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
    mutating func end(_ group: GroupDefinition) throws(GraphFailure) {
        for name in Revocation.group(group.name).names { try revoke(name) }
        let text = "ended the sessions of the group '\(group.name)': its group at Entra is deleted"
        report(.notice, text, as: .revocation)
    }

    private func revoke(_ name: String) throws(GraphFailure) {
        guard storage.revoke(name) else {
            throw .failed("the list of ended sessions cannot be written")
        }
    }
}
