import RelyingParty

/// What this machine believes of the Redis with the ended sessions.
///
/// Redis may restart with an old file, evict entries, be full, or be replaced by a server that lacks
/// the last entries. Three questions stay open at any time, and their answers do not depend on each
/// other:
///
///     question                              while the answer is no
///     reachable: does it answer?            nobody is let in; nobody asks it for three quarters of
///                                           a second, because each would wait for a time limit
///     keeping: does it keep its entries?    nobody is let in
///     writable: does it take entries?       a sign-out fails; it is tried again once a second
///
/// The fourth, `copy`, is whether it has all entries of this machine. The table is complete; an empty
/// cell stays what it was.
///
///     observation      reachable   keeping   writable   copy
///     answered         yes
///     failed           no
///     took                                   yes
///     refused                                no
///     told                         as told              behind, if entries were evicted
///     missed                                            behind
///     resyncing                                         resyncing
///     resynced                                          complete, if resyncing
///     notResynced                                       behind
///
/// Only a trusted primary is asked: ``trust`` names the one that has taken what this machine could
/// add, and takes more.
struct RedisBelief {
    enum Observation {
        /// It has answered a question about sessions; only this proves that there are such answers.
        case answered
        case failed(cause: String, at: UInt64)
        case took
        case refused(reason: String)
        case told(RedisCondition)
        /// An entry of this machine was not stored.
        case missed
        case resyncing, resynced, notResynced
    }

    enum Copy { case complete, resyncing, behind }

    struct News: Equatable {
        let level: Event.Level
        let text: String
    }

    /// Nanoseconds for which a failure is reused.
    static let pause = RecentAnswers.life

    private(set) var isReachable = true
    private(set) var isWritable = true
    private(set) var copy = Copy.complete
    private(set) var condition: RedisCondition?
    /// The generation of the primary that is trusted, and its process, if it names one.
    private(set) var trust: (generation: Int, process: String?) = (0, nil)
    private var failedAt: UInt64?
    /// The causes of failures since the last answer; each is reported once.
    private var causes: Set<String> = []

    var isKeeping: Bool { condition?.problem == nil }

    var needsResync: Bool { copy == .behind || !isWritable }

    /// Whether Redis failed a moment ago, so that it is not asked again.
    func isPaused(at now: UInt64) -> Bool { failedAt.map { now < $0 + Self.pause } ?? false }

    /// Whether a primary may be trusted as it is: it is the process that was trusted before.
    func knows(_ condition: RedisCondition) -> Bool {
        condition.process != nil && condition.process == trust.process
    }

    mutating func trust(_ generation: Int, _ condition: RedisCondition) {
        trust = (generation, condition.process)
    }

    /// - Returns: what the operator has to hear.
    mutating func learn(_ observation: Observation) -> [News] {
        switch observation {
        case .answered:
            defer { (isReachable, failedAt, causes) = (true, nil, []) }
            let text = "the list of ended sessions can be reached again"
            return isReachable ? [] : [News(level: .notice, text: text)]
        case .failed(let cause, let time):
            (isReachable, failedAt) = (false, time)
            // A Redis that refused connections may now be full: the operator needs the cause of
            // this hour, but not a line for each attempt.
            guard causes.count < 10, causes.insert(cause).inserted else { return [] }
            let problem = "the list of ended sessions cannot be reached, so nobody is let in"
            return [News(level: .error, text: "\(problem): \(cause)")]
        case .took:
            defer { isWritable = true }
            let text = "Redis records ended sessions again"
            return isWritable ? [] : [News(level: .notice, text: text)]
        case .refused(let reason):
            defer { isWritable = false }
            let problem = "Redis does not record ended sessions, so signing out fails"
            return isWritable ? [News(level: .error, text: "\(problem): \(reason)")] : []
        case .told(var told):
            // An INFO without a policy keeps the former problem.
            if told.policy == nil, !isKeeping { told.policy = condition?.policy }
            if let condition, told.hasForgotten(since: condition) { copy = .behind }
            defer { condition = told }
            return told.news(since: condition)
        case .missed, .notResynced: copy = .behind
        case .resyncing: copy = .resyncing
        case .resynced: if copy == .resyncing { copy = .complete }
        }
        return []
    }
}

extension RedisCondition {
    fileprivate func news(since former: RedisCondition?) -> [RedisBelief.News] {
        var news: [RedisBelief.News] = []
        if let problem, problem != former?.problem {
            news.append(.init(level: .error, text: problem))
        }
        for warning in warnings where former?.warnings.contains(warning) != true {
            news.append(.init(level: .warning, text: warning))
        }
        if former?.problem != nil, problem == nil {
            news.append(.init(level: .notice, text: "Redis keeps all ended sessions again"))
        }
        return news
    }
}
