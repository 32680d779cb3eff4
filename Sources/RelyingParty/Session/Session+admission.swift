import Access
import SiteauthConfiguration

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
        let confirmed = confirmedGroups(in: policy, at: now)
        var missing: AuthenticationContext?
        for audience in audiences where !audience.admits(memberOf: confirmed) {
            // Of several groups, the first one decides, so that the reader is asked one thing.
            let group = members.first { audience.admits(memberOf: [$0]) }
            guard let context = group.flatMap({ policy.contexts[$0] }) else { return .refused }
            missing = missing ?? context
        }
        return missing.map(Admission.unconfirmed) ?? .admitted
    }

    /// The groups that the reader is in now: those that demand no context, or a confirmed one.
    private func confirmedGroups(in policy: AccessPolicy, at now: NumericDate) -> [String] {
        let members = groups
        guard !policy.contexts.isEmpty else { return members }
        return members.filter { group in
            policy.contexts[group].map { hasConfirmed($0, at: now) } ?? true
        }
    }

    /// The session as applications may know it: a group that demands a context counts only while
    /// the confirmation holds.
    func confirmed(in policy: AccessPolicy, at now: NumericDate) -> Session {
        guard !policy.contexts.isEmpty else { return self }
        var session = self
        session.groupList = confirmedGroups(in: policy, at: now).joined(separator: ",")
        return session
    }

    func hasConfirmed(_ context: AuthenticationContext, at now: NumericDate) -> Bool {
        end(ofConfirmationOf: context, at: now) != nil
    }

    /// When the confirmation of a context ends; `nil` without one that counts now.
    func end(ofConfirmationOf context: AuthenticationContext, at now: NumericDate) -> NumericDate? {
        let ends = confirmations.lazy.compactMap { confirmation -> NumericDate? in
            // Another machine's clock may be ahead.
            guard confirmation.context == context.name,
                confirmation.date <= now + Sessions.clockSkew
            else { return nil }
            return confirmation.date + context.seconds
        }
        return ends.max().flatMap { $0 > now ? $0 : nil }
    }
}
