import HTTPTypes
import SiteauthConfiguration

/// The pages for operators; they have a socket of their own.
public enum StatusPage: String, Sendable, CaseIterable { case health, ready, metrics }

/// Answers operators: health, readiness and metrics.
struct Operation: Sendable {
    let provider: Provider
    let storage: Storage
    let client: ClientAuthentication
    let watch: AccountWatch
    let metrics: Metrics
    let gauges: @Sendable () -> Gauges

    func respond(to page: StatusPage, at now: NumericDate) -> Response {
        switch page {
        case .health: return text(.ok, "alive\n")
        case .ready:
            let problems = problems(at: now)
            if problems.isEmpty { return text(.ok, "ready\n") }
            return text(.serviceUnavailable, problems.map { $0 + "\n" }.joined())
        case .metrics:
            return Response(
                .ok,
                body: Array(metricsText(at: now).utf8),
                contentType: MetricsText.contentType
            )
        }
    }

    /// The reasons why readers cannot be served.
    func problems(at now: NumericDate, withRevocations: Bool = true) -> [String] {
        var problems: [String] = []
        if let reason = provider.problem(at: now) {
            problems.append("the provider's keys are missing: \(reason)")
        }
        if storage.currentRelease().flatMap(storage.policy) == nil {
            let text = "the access policy of the current release cannot be read"
            problems.append(text + storage.policyReason)
        }
        if withRevocations, storage.revocations([Revocation.everybody.name]) == nil {
            problems.append("the list of ended sessions cannot be read")
        }
        // A provider's line breaks must not split a reason.
        return problems.map { Event(level: .error, text: $0).text }
    }

    private func metricsText(at now: NumericDate) -> String {
        var text = MetricsText()
        let gauges = gauges()
        text.begin("siteauth_build_info", "gauge", "Always 1; the label holds the version.")
        let version = MetricsText.escape(gauges.version)
        text.add("siteauth_build_info", "version=\"\(version)\"", "1")
        text.add(
            "siteauth_start_time_seconds",
            "gauge",
            "When the program started, in seconds since 1970.",
            value: "\(gauges.startedAt)"
        )
        text.add(
            "siteauth_ready",
            "gauge",
            "Whether readers can sign in and read: 1 or 0.",
            value: problems(at: now).isEmpty ? "1" : "0"
        )
        metrics.write(to: &text)
        if let expiry = client.expiry {
            let name = "siteauth_credential_expires_timestamp_seconds"
            text.begin(name, "gauge", "When the credential expires, in seconds since 1970.")
            text.add(name, "credential=\"\(expiry.name)\"", "\(expiry.time)")
        }
        if let fetchedAt = provider.fetchedAt {
            text.add(
                "siteauth_keys_age_seconds",
                "gauge",
                "Seconds since the provider's keys were fetched.",
                value: "\(max(0, now - fetchedAt))"
            )
        }
        if let completedAt = watch.completedAt {
            text.add(
                "siteauth_account_watch_age_seconds",
                "gauge",
                "Seconds since Microsoft Graph has answered all questions about accounts.",
                value: "\(max(0, now - completedAt))"
            )
        }
        if let revocations = gauges.revocations {
            text.add(
                "siteauth_revocations",
                "gauge",
                "Entries of the list of ended sessions.",
                value: "\(revocations)"
            )
        }
        if let sessions = gauges.providerSessions {
            text.add(
                "siteauth_provider_sessions",
                "gauge",
                "Sessions at the provider whose front-channel sign-out ends sessions here.",
                value: "\(sessions)"
            )
        }
        gauges.redis?.write(to: &text)
        text.begin("siteauth_threads", "gauge", "Threads that answer nginx.")
        for pool in gauges.pools {
            text.add("siteauth_threads", "socket=\"\(pool.socket)\"", "\(pool.threads)")
        }
        text.begin("siteauth_threads_busy", "gauge", "Threads that are answering a request now.")
        for pool in gauges.pools {
            text.add("siteauth_threads_busy", "socket=\"\(pool.socket)\"", "\(pool.busy)")
        }
        let queues: [(String, String, (Gauges.Queue) -> Int)] = [
            ("capacity", "Calls to the provider that can run at the same time.", { $0.capacity }),
            ("busy", "Calls to the provider that are running.", { $0.busy }),
            ("waiting", "Requests that wait for their call to the provider.", { $0.waiting }),
        ]
        for (name, help, value) in queues {
            text.begin("siteauth_provider_queue_\(name)", "gauge", help)
            for queue in gauges.queues {
                let label = "queue=\"\(queue.name)\""
                text.add("siteauth_provider_queue_\(name)", label, "\(value(queue))")
            }
        }
        return text.text
    }

    private func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(status, body: Array(text.utf8), contentType: "text/plain; charset=utf-8")
    }
}

/// The state of the program that metrics report.
public struct Gauges: Sendable {
    /// The threads of a socket.
    public typealias Pool = (socket: String, threads: Int, busy: Int)
    /// A queue of requests that wait for the provider.
    public typealias Queue = (name: String, capacity: Int, busy: Int, waiting: Int)

    public var version = ""
    public var startedAt: NumericDate = 0
    public var pools: [Pool] = []
    public var queues: [Queue] = []
    /// `nil` if the list cannot be counted.
    public var revocations: Int?
    /// `nil` if sessions at the provider are not counted.
    public var providerSessions: Int?
    /// `nil` without Redis.
    public var redis: Redis?

    public init() {}
}
