import Redis
import Testing

@testable import siteauth

struct RedisBeliefTests {
    private static func condition(
        _ policy: String?,
        process: String? = "one",
        evicted: Int = 0
    ) -> RedisCondition {
        var lines = ["redis_version:7.0.15", "aof_enabled:1", "evicted_keys:\(evicted)"]
        if let policy { lines.append("maxmemory_policy:\(policy)") }
        if let process { lines.append("run_id:\(process)") }
        return RedisCondition(.text(lines.joined(separator: "\r\n")))
    }

    private static func belief(_ copy: RedisBelief.Copy = .complete) -> RedisBelief {
        var belief = RedisBelief()
        switch copy {
        case .complete: break
        case .resyncing: _ = belief.learn(.resyncing)
        case .behind: _ = belief.learn(.missed)
        }
        return belief
    }

    /// The columns of the table of observations, except the copy.
    @Test func `each observation changes its own answer and no other`() {
        let evicting = Self.condition("allkeys-lru")
        let observations: [(RedisBelief.Observation, [Bool])] = [
            (.answered, [true, true, true]),
            (.failed(cause: "refused", at: 5), [false, true, true]),
            (.took, [true, true, true]),
            (.refused(reason: "OOM"), [true, true, false]),
            (.told(evicting), [true, false, true]),
            (.missed, [true, true, true]),
            (.resyncing, [true, true, true]),
            (.resynced, [true, true, true]),
            (.notResynced, [true, true, true]),
        ]
        for (observation, answers) in observations {
            var belief = RedisBelief()
            _ = belief.learn(observation)
            #expect([belief.isReachable, belief.isKeeping, belief.isWritable] == answers)
            var worst = RedisBelief()
            for bad: RedisBelief.Observation in [
                .failed(cause: "refused", at: 5), .refused(reason: "OOM"), .told(evicting),
            ] {
                _ = worst.learn(bad)
            }
            _ = worst.learn(observation)
            let isBetter = [worst.isReachable, worst.isKeeping, worst.isWritable]
            switch observation {
            case .answered: #expect(isBetter == [true, false, false])
            case .took: #expect(isBetter == [false, false, true])
            default: #expect(isBetter == [false, false, false])
            }
        }
    }

    @Test func `an entry that is missed during a resync is not forgotten`() {
        let table: [(RedisBelief.Observation, [RedisBelief.Copy])] = [
            (.missed, [.behind, .behind, .behind]),
            (.resyncing, [.resyncing, .resyncing, .resyncing]),
            (.resynced, [.complete, .complete, .behind]),
            (.notResynced, [.behind, .behind, .behind]),
            (.answered, [.complete, .resyncing, .behind]),
            (.failed(cause: "refused", at: 5), [.complete, .resyncing, .behind]),
            (.took, [.complete, .resyncing, .behind]),
            (.refused(reason: "OOM"), [.complete, .resyncing, .behind]),
            (.told(Self.condition("noeviction")), [.complete, .resyncing, .behind]),
        ]
        for (observation, expected) in table {
            let copies = [RedisBelief.Copy.complete, .resyncing, .behind].map { copy in
                var belief = Self.belief(copy)
                _ = belief.learn(observation)
                return belief.copy
            }
            #expect(copies == expected, "\(observation)")
        }
        #expect(Self.belief(.behind).needsResync && !Self.belief(.complete).needsResync)
        var full = RedisBelief()
        _ = full.learn(.refused(reason: "OOM"))
        #expect(full.needsResync)
    }

    @Test func `a problem is told when it begins and when it ends`() {
        var belief = RedisBelief()
        func texts(_ observations: RedisBelief.Observation...) -> [String] {
            observations.flatMap { belief.learn($0) }.map { "\($0.level): \($0.text)" }
        }
        let lost = "error: the list of ended sessions cannot be reached, so nobody is let in"
        #expect(
            texts(
                .answered,
                .failed(cause: "a", at: 1),
                .failed(cause: "a", at: 2),
                .failed(cause: "b", at: 3)
            ) == ["\(lost): a", "\(lost): b"]
        )
        #expect(
            texts(.answered, .answered, .failed(cause: "a", at: 4)) == [
                "notice: the list of ended sessions can be reached again", "\(lost): a",
            ]
        )
        #expect(
            texts(.took, .refused(reason: "OOM"), .refused(reason: "OOM"), .took, .took) == [
                "error: Redis does not record ended sessions, so signing out fails: OOM",
                "notice: Redis records ended sessions again",
            ]
        )
        let evicting = Self.condition("allkeys-lru")
        #expect(texts(.told(evicting), .told(evicting)) == ["error: \(evicting.problem ?? "")"])
        #expect(
            texts(.told(Self.condition("noeviction"))) == [
                "notice: Redis keeps all ended sessions again"
            ]
        )
        #expect(
            texts(.told(Self.condition(nil)), .told(Self.condition(nil))) == [
                "warning: Redis does not allow reading its 'maxmemory-policy'; it must be "
                    + "'noeviction'"
            ]
        )
    }

    @Test func `the log does not fill with causes of one failure`() {
        var belief = RedisBelief()
        let news = (0..<50).flatMap { belief.learn(.failed(cause: "\($0)", at: 1)) }
        #expect(news.count == 10)
    }

    @Test func `a Redis that is silent about its policy has its former problem`() {
        var belief = RedisBelief()
        _ = belief.learn(.told(Self.condition("allkeys-lru")))
        #expect(belief.learn(.told(Self.condition(nil))).isEmpty)
        #expect(!belief.isKeeping)
        // Its silence says nothing about its process, either.
        #expect(belief.condition?.process == "one")
        _ = belief.learn(.told(Self.condition(nil, process: nil)))
        #expect(!belief.isKeeping && belief.condition?.process == nil)
    }

    @Test func `what may be evicted is added again`() {
        for conditions in [
            [Self.condition("allkeys-lru"), Self.condition("noeviction")],
            [Self.condition("noeviction"), Self.condition("noeviction", evicted: 1)],
            [Self.condition(nil), Self.condition(nil, evicted: 1)],
        ] {
            var belief = RedisBelief()
            for condition in conditions { _ = belief.learn(.told(condition)) }
            #expect(belief.copy == .behind)
        }
        // Another process counts anew; it is not trusted yet.
        var belief = RedisBelief()
        _ = belief.learn(.told(Self.condition("noeviction", process: "one")))
        _ = belief.learn(.told(Self.condition("noeviction", process: "two", evicted: 1)))
        #expect(belief.copy == .complete)
    }

    @Test func `only the process that was trusted is known`() {
        var belief = RedisBelief()
        let (one, two) = (Self.condition(nil), Self.condition(nil, process: "two"))
        let nameless = Self.condition(nil, process: nil)
        #expect(!belief.knows(one) && !belief.knows(nameless))
        belief.trust(1, one)
        #expect(belief.knows(one) && !belief.knows(two) && !belief.knows(nameless))
        belief.trust(2, nameless)
        // Missing never equals missing.
        #expect(!belief.knows(one) && !belief.knows(nameless))
    }

    @Test func `a failure is reused for three quarters of a second`() {
        var belief = RedisBelief()
        #expect(!belief.isPaused(at: 0))
        _ = belief.learn(.failed(cause: "a", at: 1_000_000_000))
        // Another thread may have read the clock before the failure.
        #expect(belief.isPaused(at: 999_999_999) && belief.isPaused(at: 1_749_999_999))
        #expect(!belief.isPaused(at: 1_750_000_000))
        _ = belief.learn(.answered)
        #expect(!belief.isPaused(at: 1_000_000_001))
    }
}
