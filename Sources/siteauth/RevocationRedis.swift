import POSIX
import Redis
import RelyingParty
import Synchronization

/// The list of ended sessions in a Redis that several machines share.
///
/// An answer about a session is reused for three quarters of a second, so that a page and its images
/// cost one round trip. With the time for asking, a session that another machine ends stays valid for
/// a second at most.
///
/// Redis may lose entries: it restarts with an old file or without one, evicts some, or another
/// server takes over that has not got the last entries. Four things make up for it:
///
/// - The entry for everybody is always there. Where it is missing, the whole list was lost, and the
///   list begins anew: sessions from before have ended.
/// - Each machine also keeps the entries that it has made itself, in its own folder, and adds what
///   is missing to every Redis that it finds. What it ended has ended here, whatever Redis says.
/// - A Redis that was not known before, or has started since, is believed only once it has these
///   entries and takes new ones: otherwise it may lack what other machines would add.
/// - Where entries were evicted, each machine adds its own again.
final class RevocationRedis: Sendable {
    /// Nanoseconds for which an answer, or a failure, is reused.
    private static let answerLife: UInt64 = 750_000_000
    private static let maximumKnown = 10_000
    /// The entries that are sent at once; a larger number could take longer than the time limit.
    private static let batch = 500

    private struct Known {
        var answers: [String: (dates: [Int?], at: UInt64)] = [:]
        var failedAt: UInt64?
        /// Why it could not be reached since it was reached last; each is reported once.
        var causes: Set<String> = []
        var condition: RedisCondition?
        /// The generation of the Redis that is believed.
        var adopted = 0
        /// The process of that Redis; `nil` if it does not say.
        var process: String?
        /// Whether Redis may lack entries of this machine.
        var isBehind = false
        /// Counts the entries that this process has made.
        var additions = 0
        var gauges = Gauges.Redis()

        /// Whether Redis failed a moment ago, so that it is not asked again.
        func isLost(at now: UInt64) -> Bool {
            failedAt.map { now - $0 < RevocationRedis.answerLife } ?? false
        }
    }

    private let client: RedisClient
    let folder: RevocationFolder?
    private let prefix: String
    private let providerSessionPrefix: String
    private let report: @Sendable (Event.Level, String) -> Void
    private let known = Mutex(Known())
    /// Held by the thread that adds entries to Redis.
    private let adoption = Mutex(())

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

    var gauges: Gauges.Redis { known.withLock(\.gauges) }

    /// The time of the last revocation under each name, or `nil` if Redis cannot be reached.
    @Sendable func dates(of names: [String]) -> [Int?]? {
        let (answer, isLost, additions) = known.withLock { known in
            // Inside the lock: the times that are compared must not be later than now.
            let now = Host.uptimeNanoseconds
            let knownAnswer = known.answers[names[0]]
            let answer = knownAnswer.flatMap { now - $0.at < Self.answerLife ? $0 : nil }
            return (answer, known.isLost(at: now), known.additions)
        }
        if let answer { return answer.dates }
        // Otherwise every check would wait for a timeout of its own.
        if isLost { return nil }
        let now = Host.uptimeNanoseconds
        let start = Revocation.everybody.name
        let asked = names.contains(start) ? names : names + [start]
        guard var dates = read(asked), known.withLock(\.condition)?.problem == nil,
            let position = asked.firstIndex(of: start)
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
        known.withLock { known in
            // Asked before an entry was made, and answered after: the answer may lack it.
            guard known.additions == additions else { return }
            if known.answers.count >= Self.maximumKnown { known.answers.removeAll() }
            known.answers[names[0]] = (dates, now)
        }
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
        let key = prefix + Revocation.everybody.name
        guard let reply = write([["SET", key, "\(Host.time)", "NX"]])?.first else { return false }
        if reply.text == "OK" {
            let cause = "Redis has no list of ended sessions: it is new, or has lost its data"
            report(.warning, "\(cause); all sessions until now have ended")
        }
        // Another machine may have begun it a moment ago.
        return reply.text == "OK" || reply == .nothing
    }

    /// - Returns: whether Redis has stored the revocation.
    @Sendable func add(_ name: String) -> Bool {
        if folder?.add(name) == false {
            let cause = "this machine cannot keep what it ends"
            report(.warning, "\(cause); if Redis loses it, nobody adds it again")
        }
        let isStored = write([set(name, Host.time)])?.first?.text == "OK"
        known.withLock { known in
            known.additions += 1
            known.answers.removeAll()
            if !isStored { known.isBehind = true }
        }
        return isStored
    }

    private func set(_ name: String, _ date: Int) -> [String] {
        let command = ["SET", prefix + name, "\(date)"]
        // Without this entry the list would count as lost.
        if name == Revocation.everybody.name { return command }
        return command + ["EX", "\(RevocationList.memory)"]
    }

    /// Records that a session at the provider may have sessions here until `time`.
    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let seconds = "\(max(1, time - Host.time))"
        return write([["SET", providerSessionPrefix + name, "1", "EX", seconds]])?.first?.text
            == "OK"
    }

    /// Whether a session at the provider is recorded; `nil` if Redis cannot be reached.
    func knowsProviderSession(_ name: String) -> Bool? {
        // Anybody may ask this, and must not make this machine wait.
        if known.withLock({ $0.isLost(at: Host.uptimeNanoseconds) }) { return nil }
        let reply = ask([["MGET", providerSessionPrefix + name]], reading: 1)?.first
        return reply.map { $0.list != [.nothing] }
    }

    /// Finds a Redis that is back, and brings it up to date, even while no reader asks; for the
    /// maintenance thread, once a second.
    func watch() {
        guard dates(of: [Revocation.everybody.name]) != nil else { return }
        let isDue = known.withLock { $0.isBehind || !$0.gauges.isWritable }
        guard isDue, canWrite() else { return }
        adoption.withLock { _ in
            // What is refused meanwhile is added the next time.
            known.withLock { $0.isBehind = false }
            if (try? refill()) == nil { known.withLock { $0.isBehind = true } }
        }
    }

    /// Asks Redis how it keeps its entries; for the maintenance thread, once a minute.
    ///
    /// - Returns: `nil` if Redis cannot be reached.
    @discardableResult func look() -> RedisCondition? {
        ask([["INFO"]], ofAny: true)?.first.map { noted(RedisCondition($0)) }
    }

    private func noted(_ condition: RedisCondition) -> RedisCondition {
        let (former, condition) = known.withLock { known in
            let former = known.condition
            // Without a word on it, what was bad stays bad.
            let isSilent = condition.policy == nil && former?.problem != nil
            let condition = isSilent ? former ?? condition : condition
            if let former, condition.hasForgotten(since: former) { known.isBehind = true }
            known.condition = condition
            return (former, condition)
        }
        if let problem = condition.problem, problem != former?.problem { report(.error, problem) }
        for warning in condition.warnings where former?.warnings.contains(warning) != true {
            report(.warning, warning)
        }
        if former?.problem != nil, condition.problem == nil {
            report(.notice, "Redis keeps all ended sessions again")
        }
        return condition
    }

    /// Tries to write.
    @discardableResult func canWrite() -> Bool {
        write([probe])?.first?.text == "OK"
    }

    /// Decides whether to believe a Redis that was found anew.
    ///
    /// - Throws: if it may lack entries that nobody could add.
    private func adopt(_ generation: Int) throws(RedisError) {
        try adoption.withLock { _ throws(RedisError) in
            guard known.withLock(\.adopted) != generation else { return }
            let condition = noted(RedisCondition(try client.send([["INFO"]]).replies[0]))
            let former = known.withLock(\.process)
            if condition.process == nil || condition.process != former {
                let probe = try client.send([probe]).replies
                note(probe)
                if let refusal = probe[0].refusal {
                    throw RedisError("it may lack entries, and takes none: \(refusal)")
                }
                try refill()
                known.withLock { $0.isBehind = false }
            }
            known.withLock { ($0.adopted, $0.process) = (generation, condition.process) }
        }
    }

    private var probe: [String] { ["SET", prefix + "probe", "1", "EX", "60"] }

    /// Adds the entries of this machine that Redis has not got, or with an earlier date.
    private func refill() throws(RedisError) {
        guard let folder else { return }
        let entries: [(name: String, date: Int)]
        do { entries = try folder.entries(since: Host.time - RevocationList.memory) } catch {
            throw RedisError("what this machine ended cannot be read: \(error)")
        }
        for start in stride(from: 0, to: entries.count, by: Self.batch) {
            let batch = entries[start..<min(start + Self.batch, entries.count)]
            let values = try client.send([["MGET"] + batch.map { prefix + $0.name }]).replies[0]
            guard let values = values.list, values.count == batch.count else {
                throw RedisError(values.refusal ?? "it answers another question")
            }
            let missing = zip(batch, values).filter { entry, value in
                // Without the entry for everybody the whole list was lost, which must not be hidden.
                value == .nothing
                    ? entry.name != Revocation.everybody.name
                    : value.text.flatMap { Int($0) } ?? 0 < entry.date
            }
            guard !missing.isEmpty else { continue }
            let replies = try client.send(missing.map { set($0.0.name, $0.0.date) }).replies
            if let refusal = replies.compactMap(\.refusal).first { throw RedisError(refusal) }
        }
    }

    /// Sends commands that write.
    private func write(_ commands: [[String]]) -> [RedisReply]? {
        guard let replies = ask(commands) else { return nil }
        note(replies)
        return replies
    }

    /// Reports when Redis begins or ceases to refuse entries.
    private func note(_ replies: [RedisReply]) {
        let refusal = replies.compactMap(\.refusal).first
        let former = known.withLock { known in
            defer { known.gauges.isWritable = refusal == nil }
            return known.gauges.isWritable
        }
        if let refusal, former {
            report(.error, "Redis does not record ended sessions, so signing out fails: \(refusal)")
        } else if refusal == nil, !former {
            report(.notice, "Redis records ended sessions again")
        }
    }

    /// Sends commands to a Redis that is believed.
    ///
    /// - Parameters:
    ///   - count: how many values each command must return; otherwise Redis counts as unreachable.
    ///   - ofAny: whether it need not be believed.
    private func ask(
        _ commands: [[String]],
        reading count: Int? = nil,
        ofAny: Bool = false
    ) -> [RedisReply]? {
        let start = Host.uptimeNanoseconds
        let result = Result { () throws(RedisError) in
            ofAny ? try client.send(commands).replies : try replies(to: commands, reading: count)
        }
        let duration = Host.uptimeNanoseconds - start
        let (wasReachable, isReachable, isNew) = known.withLock { known in
            let former = known.gauges.isReachable
            var isNew = false
            switch result {
            case .success:
                known.gauges.answered += 1
                known.gauges.nanoseconds += duration
                // Only an answer about sessions proves that there are such answers.
                guard count != nil else { break }
                known.failedAt = nil
                known.gauges.isReachable = true
                known.causes = []
            case .failure(let error):
                // A Redis that refused connections may now be full: the operator needs the cause
                // of this hour, but not a line for each attempt.
                isNew = known.causes.count < 10 && known.causes.insert("\(error)").inserted
                known.failedAt = Host.uptimeNanoseconds
                known.gauges.failed += 1
                known.gauges.isReachable = false
            }
            return (former, known.gauges.isReachable, isNew)
        }
        if case .failure(let error) = result, isNew {
            let problem = "the list of ended sessions cannot be reached, so nobody is let in"
            report(.error, "\(problem): \(error)")
        } else if isReachable, !wasReachable {
            report(.notice, "the list of ended sessions can be reached again")
        }
        return try? result.get()
    }

    private func replies(
        to commands: [[String]],
        reading count: Int?
    ) throws(RedisError) -> [RedisReply] {
        // A third Redis in one question means that it comes and goes.
        for _ in 0..<3 {
            let answer = try client.send(commands)
            for reply in answer.replies where count != nil && reply.list?.count != count {
                throw RedisError(reply.refusal ?? "it answers another question")
            }
            if known.withLock(\.adopted) == answer.generation { return answer.replies }
            try adopt(answer.generation)
        }
        throw RedisError("it comes and goes")
    }
}
