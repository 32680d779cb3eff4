import Access

/// Whether a reader may open a path.
enum Admission: Sendable, Equatable {
    case admitted
    /// Not before the provider has confirmed this authentication context.
    case unconfirmed(AuthenticationContext)
    case refused
}

extension Session {
    /// - Parameter audiences: those that have to admit the reader; none if nobody may have the path.
    func admission(
        to audiences: [Audience],
        in policy: AccessPolicy,
        at now: NumericDate
    ) -> Admission {
        guard !audiences.isEmpty else { return .refused }
        let members = groups
        let confirmed = members.filter { group in
            policy.contexts[group].map { hasConfirmed($0, at: now) } ?? true
        }
        var missing: AuthenticationContext?
        for audience in audiences where !audience.admits(memberOf: confirmed) {
            // Of several groups, the first one decides, so that the reader is asked one thing.
            let group = members.first { audience.admits(memberOf: [$0]) }
            guard let context = group.flatMap({ policy.contexts[$0] }) else { return .refused }
            missing = missing ?? context
        }
        return missing.map(Admission.unconfirmed) ?? .admitted
    }

    func hasConfirmed(_ context: AuthenticationContext, at now: NumericDate) -> Bool {
        confirmations.contains { confirmation in
            // Another machine's clock may be ahead.
            confirmation.context == context.name && confirmation.date <= now + Sessions.clockSkew
                && now - confirmation.date < context.seconds
        }
    }
}
