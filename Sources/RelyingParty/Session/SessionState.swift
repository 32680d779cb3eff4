import SiteauthConfiguration

/// The state of a session between two confirmations of the reader by the provider.
///
/// The two tables are complete:
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

    /// The kind of a request with a session.
    enum Use: Sendable, CaseIterable {
        /// A navigation, which can be redirected through the provider.
        case page
        /// Any other request: a file that a page loads, or a form. A redirect to the provider would
        /// break the file and lose the form.
        case file
    }

    func permits(_ use: Use) -> Bool {
        switch (self, use) {
        case (.fresh, _), (.postponed, _), (.due, .file): true
        case (.due, .page), (.overdue, _): false
        }
    }

    /// The outcome of a revalidation.
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
    /// Seconds until a postponed revalidation is tried again.
    static let postponement = 300

    func state(of session: Session, at now: NumericDate) -> SessionState {
        let after = settings.revalidateAfterSeconds
        guard after > 0 else { return .fresh }
        // Both times may come from another machine whose clock is ahead.
        let age = max(now - session.verifiedAt, 0)
        if age < after { return .fresh }
        guard age < after + settings.revalidateGraceSeconds else { return .overdue }
        let wasPostponed = session.postponedAt > session.verifiedAt
        let isRecent = (0..<Self.postponement).contains(now - session.postponedAt)
        return wasPostponed && isRecent ? .postponed : .due
    }

    /// The session with its revalidation postponed by some minutes, because the provider cannot be
    /// reached.
    ///
    /// - Returns: `nil` if the grace period is over.
    func postponed(_ session: Session, at now: NumericDate) -> Session? {
        let state = state(of: session, at: now)
        guard state.consequence(of: .unavailable) == .postponed else { return nil }
        var session = session
        session.postponedAt = now
        session.seenAt = now
        return session
    }
}
