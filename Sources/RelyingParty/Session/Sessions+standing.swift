extension Sessions {
    /// How Entra's word that somebody may come in stands.
    enum Standing: Sendable, Equatable {
        case fresh
        /// The next navigation goes through Entra; what a page fetches meanwhile does not.
        ///
        /// A redirect to Entra would break a picture or a script. It is bounded, since anybody can
        /// say that a request is none of a page.
        case due
        /// Nothing goes on without Entra.
        case overdue
    }

    /// How long a postponed question waits before it is asked again.
    static let postponement = 300

    func standing(of session: Session, at now: NumericDate) -> Standing {
        let after = settings.revalidateAfterSeconds
        guard after > 0 else { return .fresh }
        // Both may be another machine's, ahead of ours.
        let age = max(now - session.verifiedAt, 0)
        if age < after { return .fresh }
        guard age < after + settings.revalidateGraceSeconds else { return .overdue }
        return (0..<Self.postponement).contains(now - session.postponedAt) && wasPostponed(session)
            ? .fresh : .due
    }

    private func wasPostponed(_ session: Session) -> Bool {
        session.postponedAt > session.verifiedAt
    }

    /// A session that goes on for some minutes because Entra cannot be asked, if it may.
    func postponed(_ session: Session, at now: NumericDate) -> Session? {
        guard standing(of: session, at: now) != .overdue else { return nil }
        var session = session
        session.postponedAt = now
        session.seenAt = now
        return session
    }
}
