import Redis

/// What a Redis says about itself (`INFO`) that matters to the list of ended sessions.
struct RedisCondition: Equatable {
    /// What Redis does when its memory is full; `nil` if the access rules forbid to read it.
    var policy: String?
    /// Whether each change is written to disk; `nil` if Redis does not say.
    let isAppending: Bool?
    let version: String
    let replicas: Int
    /// The process, which has another name after each start; `nil` if Redis does not say.
    let process: String?
    /// How many entries this process has evicted.
    let evicted: Int

    init(_ information: RedisReply) {
        var fields: [Substring: String] = [:]
        for line in (information.text ?? "").split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon]] = String(line[line.index(after: colon)...])
        }
        policy = fields["maxmemory_policy"]
        isAppending = fields["aof_enabled"].map { $0 == "1" }
        version = fields["redis_version"] ?? "of an unknown version"
        replicas = fields["connected_slaves"].flatMap { Int($0) } ?? 0
        process = fields["run_id"]
        evicted = fields["evicted_keys"].flatMap { Int($0) } ?? 0
    }

    /// Why nobody may be let in: Redis evicts entries, and an evicted session would be valid again.
    var problem: String? {
        guard let policy, policy != "noeviction" else { return nil }
        return
            "Redis would forget ended sessions when its memory is full, so nobody is let in: its"
            + " 'maxmemory-policy' is '\(policy)'; it must be 'noeviction'"
    }

    /// Whether entries may have been evicted between two looks.
    func hasForgotten(since former: RedisCondition) -> Bool {
        former.problem != nil && problem == nil
            || process == former.process && evicted > former.evicted
    }

    var warnings: [String] {
        if policy == nil {
            let key = "'maxmemory-policy'"
            return ["Redis does not allow reading its \(key); it must be 'noeviction'"]
        }
        if isAppending == false {
            let cause = "Redis may forget ended sessions when it restarts: its 'appendonly' is 'no'"
            return ["\(cause); set 'appendonly yes'"]
        }
        return []
    }

    var summary: String {
        let replicas = replicas == 1 ? "1 replica" : "\(replicas) replicas"
        let disk = isAppending == true ? "writes each change to disk" : "may lose changes"
        return "Redis \(version) is a primary with \(replicas), \(disk), and can be written to."
    }
}
