import SiteauthConfiguration

/// A browser that is signing in, identified by one small cookie for all of its tabs.
///
/// Every sign-in is bound to its browser (login CSRF): if an attacker obtains an answer of the
/// provider and makes another person's browser send it, that browser has another cookie or none.
struct Browser: Sendable, Equatable {
    static let cookieName = "browser"
    /// The longest window in seconds in which several sign-ins count as a loop.
    static let longestWindow = 120
    /// Three sign-ins after each of which the session was lost, four after which it was kept, or more
    /// that confirmed a context.
    ///
    /// Who comes back with the session of a minute ago keeps cookies: what demands the next sign-in
    /// is a release, a revocation or a context to confirm. A few of these in a row are no loop.
    static let maximumRounds: UInt8 = 9
    private static let format: UInt8 = 1

    /// 16 random bytes.
    let id: [UInt8]
    /// The sign-ins that were completed since ``windowStart``, counted as ``maximumRounds`` says.
    var rounds: UInt8
    var windowStart: NumericDate

    init(id: [UInt8], at now: NumericDate) {
        self.id = id
        rounds = 0
        windowStart = now
    }

    init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard reader.byte() == Self.format, let id = reader.field(), id.count == 16,
            let rounds = reader.byte(), let windowStart = reader.date(), reader.isAtEnd
        else { return nil }
        self.id = id
        self.rounds = rounds
        self.windowStart = windowStart
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: Self.format)
        writer.write(id)
        writer.write(byte: rounds)
        writer.write(windowStart)
        return writer.bytes
    }

    /// Whether the browser has signed in again and again, which means that it loses a cookie.
    func isInLoop(at now: NumericDate, within seconds: Int) -> Bool {
        rounds >= Self.maximumRounds && now - windowStart < seconds
    }

    /// - Parameters:
    ///   - newest: when the newest session was written that the browser sent along.
    ///   - isConfirmation: whether the reader, who is signed in, confirmed a context, as for each of
    ///     several groups.
    mutating func countRound(
        after newest: NumericDate?,
        isConfirmation: Bool = false,
        at now: NumericDate,
        within seconds: Int
    ) {
        if now - windowStart >= seconds || now < windowStart {
            rounds = 0
            windowStart = now
        }
        let known = min(rounds, Self.maximumRounds)
        rounds = min(
            known + (keeps(newest) ? isConfirmation ? 1 : 2 : 3),
            Self.maximumRounds
        )
    }

    /// Whether the newest session that the browser sends is of the last sign-ins.
    func keeps(_ newest: NumericDate?) -> Bool { newest.map { $0 >= windowStart } ?? false }
}
