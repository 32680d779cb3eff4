/// Where a session stands between two words of the provider that its reader may come in.
///
/// It is all in the two tables; what is not here is decided nowhere.
///
///     state       for how long                          pages   files   asks the provider
///     fresh       `revalidate_after_seconds`            yes     yes     no
///     due         `revalidate_grace_seconds` more       no      yes     yes
///     postponed   300 s of those, after a failure       yes     yes     no
///     overdue     until the session ends                no      no      yes
///
///     answer        when                                            due         overdue
///     confirmed     a code, and an ID token of the same reader      fresh       fresh
///     refused       an error, a refused code, a doubtful ID token   ended       ended
///     someoneElse   an ID token of another reader                   ended       ended
///     unavailable   the provider, or our registration there, fails  postponed   unchanged
///
/// After `ended` an ordinary sign-in begins; after `unchanged` a page says what happened. What
/// another browser brings than the one that was sent to the provider is no answer and changes
/// nothing. With `revalidate_after_seconds = 0` every session stays fresh.
enum SessionState: Sendable, Equatable, CaseIterable {
    case fresh, due, postponed, overdue

    /// What somebody with a session wants.
    enum Use: Sendable, CaseIterable {
        /// To go to a page, which can be sent by way of the provider.
        case page
        /// Anything else: what a page loads, what a form sends. A redirect to the provider would
        /// break the one and lose the other.
        case file
    }

    func permits(_ use: Use) -> Bool {
        switch (self, use) {
        case (.fresh, _), (.postponed, _), (.due, .file): true
        case (.due, .page), (.overdue, _): false
        }
    }

    /// What came of asking the provider again.
    enum Answer: Sendable, CaseIterable {
        case confirmed, refused, someoneElse, unavailable
    }

    enum Consequence: Sendable, Equatable {
        case fresh, ended, postponed, unchanged
    }

    func consequence(of answer: Answer) -> Consequence {
        switch (answer, self) {
        case (.confirmed, _): .fresh
        case (.refused, _), (.someoneElse, _): .ended
        case (.unavailable, .overdue): .unchanged
        case (.unavailable, _): .postponed
        }
    }
}

extension Sessions {
    /// How long a postponed question waits before it is asked again.
    static let postponement = 300

    func state(of session: Session, at now: NumericDate) -> SessionState {
        let after = settings.revalidateAfterSeconds
        guard after > 0 else { return .fresh }
        // Both may be another machine's, ahead of ours.
        let age = max(now - session.verifiedAt, 0)
        if age < after { return .fresh }
        guard age < after + settings.revalidateGraceSeconds else { return .overdue }
        let wasPostponed = session.postponedAt > session.verifiedAt
        let isRecent = (0..<Self.postponement).contains(now - session.postponedAt)
        return wasPostponed && isRecent ? .postponed : .due
    }

    /// A session that goes on for some minutes because the provider cannot be asked.
    ///
    /// - Returns: `nil` where it may not.
    func postponed(_ session: Session, at now: NumericDate) -> Session? {
        let state = state(of: session, at: now)
        guard state.consequence(of: .unavailable) == .postponed else { return nil }
        var session = session
        session.postponedAt = now
        session.seenAt = now
        return session
    }
}
