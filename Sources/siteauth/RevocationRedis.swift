import POSIX
import Redis
import RelyingParty
import Synchronization

/// What ended sessions, in a Redis that several machines share.
///
/// A check does not cost a round trip each time: for a second, what was said of a session is said
/// again. A page and its pictures come within that time, and a session that was ended on another
/// machine lives on for a second at most.
final class RevocationRedis: Sendable {
    /// Nanoseconds that an answer, or none, holds.
    private static let answerLife: UInt64 = 1_000_000_000
    private static let maximumKnown = 10_000

    private struct Known {
        var answers: [String: (dates: [Int?], at: UInt64)] = [:]
        var failedAt: UInt64?
        var isReported = false
        var policy: Policy?
    }

    /// What Redis does when its memory is full (`maxmemory-policy`).
    private enum Policy: Equatable {
        case keepsAll
        /// An ended session that it forgets would be let in again.
        case evicts(String)
        /// Its access rules forbid the question.
        case untold
    }

    private let client: RedisClient
    private let prefix: String
    private let providerSessionPrefix: String
    private let report: @Sendable (Event.Level, String) -> Void
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - site: its origin; several sites may share a Redis.
    ///   - report: told when Redis is lost and when it is back.
    init(
        _ server: RedisServer,
        site: String,
        report: @escaping @Sendable (Event.Level, String) -> Void
    ) {
        client = RedisClient(server)
        prefix = "siteauth:\(site):ended:"
        providerSessionPrefix = "siteauth:\(site):provider-session:"
        self.report = report
    }

    /// When each name was called last, or nothing if Redis cannot be asked.
    @Sendable func dates(of names: [String]) -> [Int?]? {
        let now = Host.uptimeNanoseconds
        let (answer, isLost) = known.withLock { known in
            (known.answers[names[0]], known.failedAt.map { now - $0 < Self.answerLife } ?? false)
        }
        if let answer, now - answer.at < Self.answerLife { return answer.dates }
        // Otherwise every check would wait for its own timeout.
        if isLost { return nil }
        if known.withLock(\.policy) == nil { lookAtPolicy() }
        if case .evicts = known.withLock(\.policy) { return nil }
        guard let values = ask(["MGET"] + names.map { prefix + $0 })?.list,
            values.count == names.count
        else { return nil }
        // What is there and is no date is no "never".
        let dates = values.map { $0 == .nothing ? nil : $0.text.flatMap(Int.init) ?? Int.max }
        known.withLock { known in
            if known.answers.count >= Self.maximumKnown { known.answers.removeAll() }
            known.answers[names[0]] = (dates, now)
        }
        return dates
    }

    /// - Returns: whether Redis has taken it.
    @Sendable func add(_ name: String) -> Bool {
        let seconds = RevocationList.memory
        let reply = ask(["SET", prefix + name, "\(Host.time)", "EX", "\(seconds)"])
        known.withLock { $0.answers.removeAll() }
        return reply?.text == "OK"
    }

    /// Notes that somebody came from a session at the provider, until `time`.
    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let seconds = max(1, time - Host.time)
        return ask(["SET", providerSessionPrefix + name, "1", "EX", "\(seconds)"])?.text == "OK"
    }

    /// Whether such a session was noted; no answer if Redis cannot be asked.
    func knowsProviderSession(_ name: String) -> Bool? {
        guard case .number(let count) = ask(["EXISTS", providerSessionPrefix + name]) else {
            return nil
        }
        return count > 0
    }

    /// Asks Redis what it does when its memory is full; while it would forget ended sessions,
    /// nobody is let in.
    ///
    /// - Returns: why it cannot be relied on, which was also reported if it is news.
    @discardableResult
    func lookAtPolicy() -> String? {
        guard let policy = readPolicy() else { return nil }
        let isNews = known.withLock { known in
            defer { known.policy = policy }
            return known.policy != policy
        }
        let key = "'maxmemory-policy'"
        switch policy {
        case .keepsAll: return nil
        case .untold:
            if isNews {
                report(.warning, "Redis does not allow reading its \(key); it must be 'noeviction'")
            }
            return nil
        case .evicts(let name):
            let text =
                "Redis would forget ended sessions when its memory is full, so nobody is let in:"
                + " its \(key) is '\(name)'; it must be 'noeviction'"
            if isNews { report(.error, text) }
            return text
        }
    }

    /// - Returns: `nil` where Redis cannot be reached.
    private func readPolicy() -> Policy? {
        guard ask(["PING"]) != nil else { return nil }
        let information = try? client.send(["INFO", "memory"]).text
        let told = information?.split(whereSeparator: \.isNewline).compactMap { line in
            line.hasPrefix("maxmemory_policy:") ? line.dropFirst(17) : nil
        }.first
        let name = told.map(String.init) ?? configuredPolicy
        guard let name else { return .untold }
        return name == "noeviction" ? .keepsAll : .evicts(name)
    }

    /// Where access rules forbid INFO and allow CONFIG.
    private var configuredPolicy: String? {
        let reply = try? client.send(["CONFIG", "GET", "maxmemory-policy"]).list
        return reply?.last?.text
    }

    private func ask(_ command: [String]) -> RedisReply? {
        let result = Result { () throws(RedisError) in try client.send(command) }
        let news = known.withLock { known -> (level: Event.Level, text: String)? in
            switch result {
            case .success:
                known.failedAt = nil
                defer { known.isReported = false }
                return known.isReported
                    ? (.notice, "the list of ended sessions can be reached again") : nil
            case .failure(let error):
                known.failedAt = Host.uptimeNanoseconds
                defer { known.isReported = true }
                let text =
                    "the list of ended sessions cannot be reached, so nobody is let in: \(error)"
                return known.isReported ? nil : (.error, text)
            }
        }
        if let news { report(news.level, news.text) }
        return try? result.get()
    }
}
