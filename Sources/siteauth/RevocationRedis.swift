import POSIX
import Redis
import RelyingParty
import Synchronization

/// The list of ended sessions in a Redis that several machines share.
///
/// An answer about a session is reused for a second, so that a page and its images cost one round
/// trip. A session that another machine ends stays valid for a second at most.
final class RevocationRedis: Sendable {
    /// Nanoseconds for which an answer, or a failure, is reused.
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
        /// Redis evicts entries, and an evicted session would be valid again.
        case evicts(String)
        /// Redis's access rules forbid reading the setting.
        case untold
    }

    private let client: RedisClient
    private let prefix: String
    private let providerSessionPrefix: String
    private let report: @Sendable (Event.Level, String) -> Void
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - site: the site's origin, because several sites may share a Redis.
    ///   - report: called when Redis becomes unreachable, and when it is reachable again.
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

    /// The time of the last revocation under each name, or `nil` if Redis cannot be reached.
    @Sendable func dates(of names: [String]) -> [Int?]? {
        let now = Host.uptimeNanoseconds
        let (answer, isLost) = known.withLock { known in
            (known.answers[names[0]], known.failedAt.map { now - $0 < Self.answerLife } ?? false)
        }
        if let answer, now - answer.at < Self.answerLife { return answer.dates }
        // Otherwise every check would wait for a timeout of its own.
        if isLost { return nil }
        if known.withLock(\.policy) == nil { lookAtPolicy() }
        if case .evicts = known.withLock(\.policy) { return nil }
        guard let values = ask(["MGET"] + names.map { prefix + $0 })?.list,
            values.count == names.count
        else { return nil }
        // A value that is not a date must not count as "never revoked".
        let dates = values.map { $0 == .nothing ? nil : $0.text.flatMap(Int.init) ?? Int.max }
        known.withLock { known in
            if known.answers.count >= Self.maximumKnown { known.answers.removeAll() }
            known.answers[names[0]] = (dates, now)
        }
        return dates
    }

    /// - Returns: whether Redis has stored the revocation.
    @Sendable func add(_ name: String) -> Bool {
        let seconds = RevocationList.memory
        let reply = ask(["SET", prefix + name, "\(Host.time)", "EX", "\(seconds)"])
        known.withLock { $0.answers.removeAll() }
        return reply?.text == "OK"
    }

    /// Records that a session at the provider may have sessions here until `time`.
    func noteProviderSession(_ name: String, until time: Int) -> Bool {
        let seconds = max(1, time - Host.time)
        return ask(["SET", providerSessionPrefix + name, "1", "EX", "\(seconds)"])?.text == "OK"
    }

    /// Whether a session at the provider is recorded; `nil` if Redis cannot be reached.
    func knowsProviderSession(_ name: String) -> Bool? {
        guard case .number(let count) = ask(["EXISTS", providerSessionPrefix + name]) else {
            return nil
        }
        return count > 0
    }

    /// Asks Redis for its `maxmemory-policy`; while Redis would forget ended sessions, nobody is
    /// let in.
    ///
    /// - Returns: why the list is unreliable; the reason is also reported when it changes.
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

    /// - Returns: `nil` if Redis cannot be reached.
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

    /// The policy for access rules that forbid INFO and allow CONFIG.
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
