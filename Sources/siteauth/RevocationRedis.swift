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
/// Redis may lose entries: it restarts with an old file or without one, or another server takes
/// over that has not got the last entries. Two things make up for it:
///
/// - The entry for everybody is always there. Where it is missing, the whole list was lost, and the
///   list begins anew: sessions from before have ended.
/// - Each machine also keeps the entries that it has made itself, in its own folder, and adds them
///   to every Redis that it finds.
final class RevocationRedis: Sendable {
    /// Nanoseconds for which an answer, or a failure, is reused.
    private static let answerLife: UInt64 = 750_000_000
    private static let maximumKnown = 10_000
    /// The entries that are sent at once; a larger number could take longer than the time limit.
    private static let batch = 500

    private struct Known {
        var answers: [String: (dates: [Int?], at: UInt64)] = [:]
        var failedAt: UInt64?
        var condition: RedisCondition?
        /// The generation of the Redis that has this machine's own entries.
        var refilled = 0
        /// Whether Redis has refused an entry of this machine.
        var isBehind = false
        var gauges = Gauges.Redis()
    }

    private let client: RedisClient
    let folder: RevocationFolder?
    private let prefix: String
    private let providerSessionPrefix: String
    /// Seconds after which every session has ended anyway.
    private let longestSession: Int
    private let report: @Sendable (Event.Level, String) -> Void
    private let known = Mutex(Known())
    private let refilling = Mutex(())

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
        longestSession = configuration.lifetimeSeconds + 600
        self.report = report
    }

    var gauges: Gauges.Redis { known.withLock(\.gauges) }

    /// The time of the last revocation under each name, or `nil` if Redis cannot be reached.
    @Sendable func dates(of names: [String]) -> [Int?]? {
        let now = Host.uptimeNanoseconds
        let (answer, isLost) = known.withLock { known in
            (known.answers[names[0]], known.failedAt.map { now - $0 < Self.answerLife } ?? false)
        }
        if let answer, now - answer.at < Self.answerLife { return answer.dates }
        // Otherwise every check would wait for a timeout of its own.
        if isLost { return nil }
        let start = Revocation.everybody.name
        let asked = names.contains(start) ? names : names + [start]
        guard var dates = read(asked), known.withLock(\.condition)?.problem == nil,
            let position = asked.firstIndex(of: start)
        else { return nil }
        if dates[position] == nil {
            guard beginList(), let again = read(asked), again[position] != nil else { return nil }
            dates = again
        }
        dates = Array(dates.prefix(names.count))
        known.withLock { known in
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
        _ = folder?.add(name)
        let isStored = write([set(name, Host.time)])?.first?.text == "OK"
        known.withLock { known in
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
        let reply = ask([["MGET", providerSessionPrefix + name]], reading: 1)?.first
        return reply.map { $0.list != [.nothing] }
    }

    /// Finds a Redis that is back, and brings it up to date, even while no reader asks; for the
    /// maintenance thread, once a second.
    func watch() {
        guard dates(of: [Revocation.everybody.name]) != nil else { return }
        let isDue = known.withLock { $0.isBehind || !$0.gauges.isWritable }
        guard isDue, canWrite() else { return }
        let isWhole = refill()
        known.withLock { $0.isBehind = !isWhole }
    }

    /// Asks Redis how it keeps its entries; for the maintenance thread, once a minute.
    ///
    /// - Returns: `nil` if Redis cannot be reached.
    @discardableResult func look() -> RedisCondition? {
        ask([["INFO"]])?.first.map { noted(RedisCondition($0)) }
    }

    private func noted(_ condition: RedisCondition) -> RedisCondition {
        let former = known.withLock { known in
            defer { known.condition = condition }
            return known.condition
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
        write([["SET", prefix + "probe", "1", "EX", "60"]])?.first?.text == "OK"
    }

    /// Adds the entries that this machine has made to Redis, which may have lost them.
    ///
    /// - Returns: whether Redis has them all.
    private func refill() -> Bool {
        let entries = folder?.entries(since: Host.time - longestSession) ?? []
        for start in stride(from: 0, to: entries.count, by: Self.batch) {
            let batch = entries[start..<min(start + Self.batch, entries.count)]
            let commands = batch.map { set($0.name, $0.date) + ["NX"] }
            guard let replies = try? client.send(commands).replies,
                replies.allSatisfy({ $0.refusal == nil })
            else { return false }
            let present = zip(batch, replies).filter { $0.1 == .nothing }.map(\.0)
            guard present.isEmpty || renew(present) else { return false }
        }
        return true
    }

    /// Replaces dates in Redis that are earlier: of an account whose sessions were ended again.
    private func renew(_ entries: [(name: String, date: Int)]) -> Bool {
        let names = entries.map { prefix + $0.name }
        guard let values = try? client.send([["MGET"] + names]).replies[0].list,
            values.count == names.count
        else { return false }
        let earlier = zip(entries, values).filter { entry, value in
            value.text.flatMap { Int($0) } ?? 0 < entry.date
        }
        guard !earlier.isEmpty else { return true }
        let replies = try? client.send(earlier.map { set($0.0.name, $0.0.date) }).replies
        return replies?.allSatisfy { $0.text == "OK" } ?? false
    }

    /// Sends commands that write, and reports when Redis begins or ceases to refuse them.
    private func write(_ commands: [[String]]) -> [RedisReply]? {
        guard let replies = ask(commands) else { return nil }
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
        return replies
    }

    /// Sends commands to a Redis that has this machine's entries and keeps them.
    ///
    /// - Parameter count: how many values each command must return; otherwise Redis counts as
    ///   unreachable.
    private func ask(_ commands: [[String]], reading count: Int? = nil) -> [RedisReply]? {
        // A third generation in one question means that Redis comes and goes.
        for _ in 0..<3 {
            guard let (replies, generation) = exchange(commands, reading: count) else { return nil }
            if known.withLock(\.refilled) == generation { return replies }
            refilling.withLock { _ in
                guard known.withLock(\.refilled) != generation else { return }
                guard let information = try? client.send([["INFO"]]).replies[0] else { return }
                _ = noted(RedisCondition(information))
                let isWhole = refill()
                known.withLock { known in
                    known.refilled = generation
                    known.isBehind = !isWhole
                }
            }
        }
        return nil
    }

    private func exchange(
        _ commands: [[String]],
        reading count: Int?
    ) -> (replies: [RedisReply], generation: Int)? {
        let start = Host.uptimeNanoseconds
        let result = Result { () throws(RedisError) in
            let answer = try client.send(commands)
            for reply in answer.replies where count != nil && reply.list?.count != count {
                throw RedisError(reply.refusal ?? "it answers another question")
            }
            return answer
        }
        let duration = Host.uptimeNanoseconds - start
        let (wasReachable, isReachable) = known.withLock { known in
            let former = known.gauges.isReachable
            switch result {
            case .success:
                known.gauges.answered += 1
                known.gauges.nanoseconds += duration
                // Only an answer about sessions proves that there are such answers.
                guard count != nil else { break }
                known.failedAt = nil
                known.gauges.isReachable = true
            case .failure:
                known.failedAt = Host.uptimeNanoseconds
                known.gauges.failed += 1
                known.gauges.isReachable = false
            }
            return (former, known.gauges.isReachable)
        }
        if case .failure(let error) = result, wasReachable {
            let problem = "the list of ended sessions cannot be reached, so nobody is let in"
            report(.error, "\(problem): \(error)")
        } else if isReachable, !wasReachable {
            report(.notice, "the list of ended sessions can be reached again")
        }
        return try? result.get()
    }
}
