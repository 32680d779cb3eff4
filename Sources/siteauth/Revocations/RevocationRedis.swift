import Access
import POSIX
import Redis
import RelyingParty
import SiteauthConfiguration
import Synchronization

/// The list of ended sessions in a Redis that several machines share.
///
/// Redis may lose entries: it restarts with an old file or without one, evicts some, or another
/// server takes over that has not got the last entries. Four things make up for it:
///
/// - The list's epoch, an entry that says when the list began or when everybody's sessions ended, is
///   always there. Where it is missing, the whole list was lost, and the list begins anew: sessions
///   from before have ended.
/// - Each machine also keeps the entries that it has made itself, in its own folder, and adds what
///   is missing to every Redis that it finds. What it ended has ended here, whatever Redis says.
/// - A Redis that was not known before, or has started since, is trusted only once it has these
///   entries and takes new ones: otherwise it may lack what other machines would add.
/// - Where entries were evicted, each machine adds its own again.
///
/// ``RedisBelief`` decides; this type asks and reports.
final class RevocationRedis: RevocationList {
    /// The entries that are sent at once; a larger number could take longer than the time limit.
    private static let batch = 500
    /// The name of the list's epoch.
    private static let epoch = Revocation.everybody.name
    /// What a version that has other names writes as the epoch: this one then lets nobody in.
    private static let mark = FormatMark("siteauth-ended", 1, refusal: RevocationFolder.newer)
    /// The answer came from another primary than the one before.
    private static let changed = RedisError("the primary changed repeatedly during this request")

    private struct State {
        var belief = RedisBelief()
        var answers = RecentAnswers()
        var gauges = Gauges.Redis()
    }

    private let client: RedisClient
    private let folder: RevocationFolder?
    private let prefix: String
    private let providerSessionPrefix: String
    private let report: @Sendable (Event.Level, String) -> Void
    private let state = Mutex(State())
    /// Held by the thread that adds this machine's entries to Redis.
    private let resyncing = Mutex(())

    /// - Parameters:
    ///   - folder: where this machine keeps the entries that it has made itself.
    ///   - report: called when a problem begins and when it ends.
    init(
        _ client: RedisClient,
        _ folder: RevocationFolder?,
        _ configuration: AuthConfiguration,
        report: @escaping @Sendable (Event.Level, String) -> Void
    ) {
        self.client = client
        self.folder = folder
        // Several sites may share a Redis.
        prefix = "siteauth:\(configuration.origin):ended:"
        providerSessionPrefix = "siteauth:\(configuration.origin):provider-session:"
        self.report = report
    }

    var redisGauges: Gauges.Redis? {
        state.withLock { state in
            var gauges = state.gauges
            (gauges.isReachable, gauges.isWritable) =
                (state.belief.isReachable, state.belief.isWritable)
            return gauges
        }
    }

    let counts: (ended: Int, providerSessions: Int)? = nil

    func create() throws(SystemError) { try folder?.create() }

    private var belief: RedisBelief { state.withLock(\.belief) }

    private func learn(_ observation: RedisBelief.Observation) {
        let news = state.withLock { $0.belief.learn(observation) }
        for event in news { report(event.level, event.text) }
    }

    // MARK: - The list

    /// - Parameter names: the first is the one of the session alone.
    func dates(of names: [String]) -> [Int?]? {
        let now = Host.uptimeNanoseconds
        let (known, isPaused, round) = state.withLock { state in
            let known = state.answers.dates(of: names[0], at: now)
            return (known, state.belief.isPaused(at: now), state.answers.round)
        }
        if let known { return known }
        if isPaused { return nil }
        let asked = names.contains(Self.epoch) ? names : names + [Self.epoch]
        guard var dates = read(asked), belief.isKeeping,
            let position = asked.firstIndex(of: Self.epoch)
        else { return nil }
        if dates[position] == nil {
            guard beginList(), let again = read(asked), again[position] != nil else { return nil }
            dates = again
        }
        if let folder {
            guard let own = folder.dates(of: asked) else { return nil }
            dates = zip(dates, own).map { [$0, $1].compactMap(\.self).max() }
        }
        dates = Array(dates.prefix(names.count))
        state.withLock { $0.answers.keep(dates, of: names[0], askedIn: round, at: now) }
        return dates
    }

    private func read(_ names: [String]) -> [Int?]? {
        let values = ask([["MGET"] + names.map { prefix + $0 }], reading: names.count)?.first?.list
        // A value that is not a date must not count as "never revoked".
        return values?.map { $0 == .nothing ? nil : $0.text.flatMap(Int.init) ?? Int.max }
    }

    /// Begins a list in a Redis that has none: sessions from before have ended, because nobody
    /// knows which of them were on the list.
    private func beginList() -> Bool {
        let command = ["SET", prefix + Self.epoch, "\(Host.time)", "NX"]
        guard let reply = write(command) else { return false }
        if reply.text == "OK" {
            let cause = "Redis has no list of ended sessions: it is new, or has lost its data"
            report(.warning, "\(cause); all sessions until now have ended")
        }
        // Another machine may have begun it a moment ago.
        return reply.text == "OK" || reply == .nothing
    }

    /// - Returns: whether Redis has stored the revocation.
    func add(_ name: String) -> Bool {
        if folder?.add(name) == false {
            let cause = "this machine cannot keep what it ends"
            report(.warning, "\(cause); if Redis loses it, nobody adds it again")
        }
        // A newer version does not look for this name, and its epoch stays.
        let mayWrite = read([Self.epoch]) != nil
        let isStored = mayWrite && write(set(name, Host.time))?.text == "OK"
        if !isStored { learn(.missed) }
        state.withLock { $0.answers.forget() }
        return isStored
    }

    private func set(_ name: String, _ date: Int) -> [String] {
        let command = ["SET", prefix + name, "\(date)"]
        // Without its epoch the list would count as lost.
        return name == Self.epoch ? command : command + ["EX", "\(RevocationFolder.memory)"]
    }

    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let seconds = "\(max(1, time - Host.time))"
        return write(["SET", providerSessionPrefix + name, "1", "EX", seconds])?.text == "OK"
    }

    func knowsProviderSession(_ name: String) -> Bool? {
        // Anybody may ask this, and must not make this machine wait.
        if belief.isPaused(at: Host.uptimeNanoseconds) { return nil }
        let reply = ask([["MGET", providerSessionPrefix + name]], reading: 1)?.first
        return reply.map { $0.list != [.nothing] }
    }

    // Each machine asks about those who have signed in there, so these entries need not be shared.
    func noteAccount(_ name: String, at time: Int) -> Bool {
        folder?.noteAccount(name, at: time) ?? false
    }

    func accounts(since time: Int) -> [(name: String, date: Int)]? { folder?.accounts(since: time) }

    // MARK: - Maintenance

    /// Also brings Redis up to date, even while no reader asks.
    func resync() {
        guard dates(of: [Self.epoch]) != nil, belief.needsResync, canWrite() else { return }
        // What fails is tried again in a second.
        try? resyncing.withLock { _ throws(RedisError) in
            try addOwnEntries(to: belief.trust.generation)
        }
    }

    func problem() -> String? { fetchInfo()?.problem }

    func maintain(at now: Int) throws(SystemError) {
        if fetchInfo() != nil { canWrite() }
        try folder?.maintain(at: now)
    }

    /// Asks Redis how it keeps its entries.
    ///
    /// - Returns: `nil` if Redis cannot be reached.
    @discardableResult func fetchInfo() -> RedisCondition? {
        let replies = attempt { () throws(RedisError) in try client.send([["INFO"]]).replies }
        guard let reply = replies?.first else { return nil }
        learn(.told(RedisCondition(reply)))
        return belief.condition
    }

    /// Tries to write.
    @discardableResult func canWrite() -> Bool { write(probe)?.text == "OK" }

    private var probe: [String] { ["SET", prefix + "probe", "1", "EX", "60"] }

    /// Decides whether to trust a primary that was found anew.
    ///
    /// - Throws: if it may lack entries that nobody could add.
    private func trust(_ generation: Int) throws(RedisError) {
        try resyncing.withLock { _ throws(RedisError) in
            guard belief.trust.generation != generation else { return }
            let condition = RedisCondition(try send([["INFO"]], to: generation)[0])
            learn(.told(condition))
            if !belief.knows(condition) {
                let reply = try send([probe], to: generation)[0]
                note(reply)
                if let refusal = reply.refusal {
                    throw RedisError("it may lack entries, and takes none: \(refusal)")
                }
                try addOwnEntries(to: generation)
            }
            state.withLock { $0.belief.trust(generation, condition) }
        }
    }

    /// Adds the entries of this machine that Redis has not got, or with an earlier date.
    private func addOwnEntries(to generation: Int) throws(RedisError) {
        // An entry that is missed meanwhile may not be among them.
        learn(.resyncing)
        do throws(RedisError) {
            let entries = try ownEntries()
            for start in stride(from: 0, to: entries.count, by: Self.batch) {
                let end = min(start + Self.batch, entries.count)
                try add(entries[start..<end], to: generation)
            }
            learn(.resynced)
        } catch {
            learn(.notResynced)
            throw error
        }
    }

    private func ownEntries() throws(RedisError) -> [(name: String, date: Int)] {
        do throws(SystemError) {
            return try folder?.entries(since: Host.time - RevocationFolder.memory) ?? []
        } catch {
            throw RedisError("what this machine ended cannot be read: \(error)")
        }
    }

    private func add(
        _ entries: ArraySlice<(name: String, date: Int)>,
        to generation: Int
    ) throws(RedisError) {
        let names = entries.map { prefix + $0.name }
        let reply = try send([["MGET"] + names], to: generation)[0]
        guard let values = reply.list, values.count == entries.count else {
            throw RedisError(reply.refusal ?? "it answers another question")
        }
        let missing = zip(entries, values).filter { entry, value in
            // Without its epoch the whole list was lost, which must not be hidden.
            value == .nothing
                ? entry.name != Self.epoch
                : value.text.flatMap { Int($0) } ?? Int.max < entry.date
        }
        guard !missing.isEmpty else { return }
        let replies = try send(missing.map { set($0.0.name, $0.0.date) }, to: generation)
        if let refusal = replies.compactMap(\.refusal).first { throw RedisError(refusal) }
    }

    // MARK: - Questions

    /// Sends a command that writes.
    private func write(_ command: [String]) -> RedisReply? {
        guard let reply = ask([command])?.first else { return nil }
        note(reply)
        return reply
    }

    private func note(_ reply: RedisReply) {
        learn(reply.refusal.map { .refused(reason: $0) } ?? .took)
    }

    /// Sends commands to a Redis that is trusted.
    ///
    /// - Parameter count: how many values each command must return; otherwise Redis counts as
    ///   unreachable.
    private func ask(_ commands: [[String]], reading count: Int? = nil) -> [RedisReply]? {
        let replies = attempt { () throws(RedisError) in
            try trustedReplies(to: commands, reading: count)
        }
        if replies != nil, count != nil { learn(.answered) }
        return replies
    }

    private func attempt(
        _ question: () throws(RedisError) -> [RedisReply]
    ) -> [RedisReply]? {
        let start = Host.uptimeNanoseconds
        do throws(RedisError) {
            let replies = try question()
            let duration = Host.uptimeNanoseconds - start
            state.withLock { state in
                state.gauges.answered += 1
                state.gauges.nanoseconds += duration
            }
            return replies
        } catch {
            state.withLock { $0.gauges.failed += 1 }
            learn(.failed(cause: "\(error)", at: Host.uptimeNanoseconds))
            return nil
        }
    }

    private func trustedReplies(
        to commands: [[String]],
        reading count: Int?
    ) throws(RedisError) -> [RedisReply] {
        for _ in 0..<3 {
            let answer = try client.send(commands)
            for reply in answer.replies where count != nil && reply.list?.count != count {
                throw RedisError(reply.refusal ?? "it answers another question")
            }
            for text in answer.replies.flatMap({ $0.list ?? [] }).compactMap(\.text)
            where count != nil && text.hasPrefix(Self.mark.word) {
                throw RedisError(Self.mark.problem(of: text) ?? "a date is missing")
            }
            if belief.trust.generation == answer.generation { return answer.replies }
            do throws(RedisError) { try trust(answer.generation) } catch {
                guard error == Self.changed else { throw error }
            }
        }
        throw Self.changed
    }

    /// Sends commands to the primary of one generation: what another says is not about it.
    private func send(
        _ commands: [[String]],
        to generation: Int
    ) throws(RedisError) -> [RedisReply] {
        let answer = try client.send(commands)
        guard answer.generation == generation else { throw Self.changed }
        return answer.replies
    }
}
