import HTTPTypes

/// The counters of a running siteauth; they identify no reader.
public final class Metrics: Sendable {
    public enum Verdict: Int, Sendable, CaseIterable { case allowed, signInRequired, forbidden }

    /// The purpose of a call to the provider.
    enum Endpoint: String, Sendable, CaseIterable {
        case metadata, keys, token, graph, userinfo, other

        init(_ request: HTTPRequest) {
            let path = request.path?.prefix { $0 != "?" } ?? ""
            self =
                switch request.method {
                case _ where path.hasPrefix("/v1.0/"): .graph
                case .post: .token
                case .get where request.headerFields[.authorization] != nil: .userinfo
                case .get where path.hasSuffix("/.well-known/openid-configuration"): .metadata
                case .get where path.hasSuffix("/keys") || path.hasSuffix("/certs"): .keys
                default: .other
                }
        }
    }

    enum Outcome: String, Sendable, CaseIterable {
        /// Status 2xx.
        case answered
        /// Any other status.
        case refused
        case unreachable
    }

    private struct Calls: Sendable {
        let outcomes = Outcome.allCases.map { _ in Counter() }
        let durations = Histogram(boundsInMicroseconds: [
            25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
        ])
    }

    private let checks = Verdict.allCases.map { _ in Counter() }
    private let checkDurations = Histogram(boundsInMicroseconds: [
        10, 25, 50, 100, 250, 500, 1000, 5000, 25_000, 100_000,
    ])
    private let events = Event.Kind.allCases.map { _ in Event.Level.allCases.map { _ in Counter() }
    }
    private let writtenAuditLines = Counter()
    private let lostAuditLines = Counter()
    private let calls = Endpoint.allCases.map { _ in Calls() }

    public init() {}

    public func count(_ event: Event) { count(event.kind, event.level) }

    func count(_ kind: Event.Kind, _ level: Event.Level = .notice) {
        Self.element(of: kind, in: events).flatMap { Self.element(of: level, in: $0) }?.add()
    }

    public func countCheck(_ status: HTTPResponse.Status, nanoseconds: UInt64) {
        let verdict: Verdict =
            switch status {
            case .noContent: .allowed
            case .forbidden: .forbidden
            default: .signInRequired
            }
        checks[verdict.rawValue].add()
        checkDurations.add(nanoseconds: nanoseconds)
    }

    func countAuditLine(isWritten: Bool) {
        (isWritten ? writtenAuditLines : lostAuditLines).add()
    }

    /// The environment with a `send` that counts every call.
    func measuring(_ environment: Environment) -> Environment {
        var measured = environment
        measured.send = { request, body in
            let start = environment.uptimeNanoseconds()
            var outcome = Outcome.unreachable
            defer {
                let end = max(environment.uptimeNanoseconds(), start)
                self.countCall(Endpoint(request), outcome, nanoseconds: end - start)
            }
            let answer = try environment.send(request, body)
            outcome = answer.response.status.kind == .successful ? .answered : .refused
            return answer
        }
        return measured
    }

    private func countCall(_ endpoint: Endpoint, _ outcome: Outcome, nanoseconds: UInt64) {
        guard let index = Endpoint.allCases.firstIndex(of: endpoint) else { return }
        Self.element(of: outcome, in: calls[index].outcomes)?.add()
        calls[index].durations.add(nanoseconds: nanoseconds)
    }

    /// The element of a list that has one for each case.
    private static func element<Case: CaseIterable & Equatable, Element>(
        of value: Case,
        in list: [Element]
    ) -> Element? {
        zip(Case.allCases, list).first { $0.0 == value }?.1
    }

    func write(to text: inout MetricsText) {
        text.begin("siteauth_checks_total", "counter", "Checks, by verdict.")
        for (word, counter) in zip(["allowed", "sign_in_required", "forbidden"], checks) {
            text.add("siteauth_checks_total", "verdict=\"\(word)\"", "\(counter.value)")
        }
        let duration = "siteauth_check_duration_seconds"
        text.begin(duration, "histogram", "How long checks take.")
        checkDurations.write(duration, to: &text)
        text.begin("siteauth_events_total", "counter", "Events, by kind and level.")
        for (kind, levels) in zip(Event.Kind.allCases, events) {
            for (level, counter) in zip(Event.Level.allCases, levels) {
                let labels = "event=\"\(kind.rawValue)\",level=\"\(level.rawValue)\""
                text.add("siteauth_events_total", labels, "\(counter.value)")
            }
        }
        let audit = "siteauth_audit_lines_total"
        text.begin(audit, "counter", "Lines of the audit, by outcome.")
        text.add(audit, "outcome=\"written\"", "\(writtenAuditLines.value)")
        text.add(audit, "outcome=\"failed\"", "\(lostAuditLines.value)")
        writeSignIns(to: &text)
        writeCalls(to: &text)
    }

    private func writeSignIns(to text: inout MetricsText) {
        let outcomes: [(String, Event.Kind)] = [
            ("begun", .signInBegun), ("signed_in", .signIn), ("refused", .signInRefusal),
            ("refused_by_provider", .providerRefusal), ("provider_unreachable", .providerFailure),
        ]
        text.begin("siteauth_sign_ins_total", "counter", "Sign-ins, by outcome.")
        for (word, kind) in outcomes {
            let levels = Self.element(of: kind, in: events) ?? []
            let value = levels.reduce(0) { $0 + $1.value }
            text.add("siteauth_sign_ins_total", "outcome=\"\(word)\"", "\(value)")
        }
    }

    private func writeCalls(to text: inout MetricsText) {
        let name = "siteauth_provider_calls_total"
        text.begin(name, "counter", "Calls to the provider, by endpoint and outcome.")
        for (endpoint, calls) in zip(Endpoint.allCases, calls) {
            for (outcome, counter) in zip(Outcome.allCases, calls.outcomes) {
                let labels = "endpoint=\"\(endpoint.rawValue)\",outcome=\"\(outcome.rawValue)\""
                text.add(name, labels, "\(counter.value)")
            }
        }
        let duration = "siteauth_provider_call_duration_seconds"
        text.begin(duration, "histogram", "How long calls to the provider take.")
        for (endpoint, calls) in zip(Endpoint.allCases, calls) {
            let labels = "endpoint=\"\(endpoint.rawValue)\""
            calls.durations.write(duration, labels: labels, to: &text)
        }
    }
}
