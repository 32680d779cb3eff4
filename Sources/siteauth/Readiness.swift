import RelyingParty

/// Logs that readers cannot be served, and that they can be again.
struct Readiness {
    /// How many looks in a row found a problem: one alone may be the moment before the first keys.
    private var looks: Int

    init(isReady: Bool) { looks = isReady ? 0 : 2 }

    mutating func look(_ problems: [String], _ log: EventLog) {
        if problems.isEmpty {
            if looks > 1 { log.report(.notice, "ready again") }
            looks = 0
        } else {
            looks += 1
            if looks == 2 {
                log.report(.error, "not ready: \(problems.joined(separator: "; "))")
            }
        }
    }
}
