import POSIX
import Redis
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
    }

    private let client: RedisClient
    private let prefix: String
    private let report: @Sendable (String) -> Void
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - site: its origin; several sites may share a Redis.
    ///   - report: told when Redis is lost and when it is back.
    init(
        _ server: RedisServer,
        site: String,
        report: @escaping @Sendable (String) -> Void
    ) {
        client = RedisClient(server)
        prefix = "siteauth:\(site):ended:"
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

    private func ask(_ command: [String]) -> RedisReply? {
        let result = Result { () throws(RedisError) in try client.send(command) }
        let news = known.withLock { known -> String? in
            switch result {
            case .success:
                known.failedAt = nil
                defer { known.isReported = false }
                return known.isReported ? "the list of ended sessions is back" : nil
            case .failure(let error):
                known.failedAt = Host.uptimeNanoseconds
                defer { known.isReported = true }
                let text = "the list of ended sessions is not reached, nobody is let in: \(error)"
                return known.isReported ? nil : text
            }
        }
        if let news { report(news) }
        return try? result.get()
    }
}
