import OpenSSL

/// The day on which a credential or a certificate expires.
public struct Expiry: Sendable, Equatable {
    /// How many seconds before its expiry a credential causes a warning.
    package static let notice = 30 * 86_400

    /// What expires: a key of `secrets.toml`, or the name of a file.
    public let name: String
    public let time: NumericDate

    package init(_ name: String, at time: NumericDate) { (self.name, self.time) = (name, time) }

    /// The expiry of the first certificate in a PEM file.
    public init(certificate pem: [UInt8], named name: String) throws {
        self.init(name, at: try Certificate.expiry(pem: pem))
    }

    /// The date in UTC, such as `2027-05-01`.
    public var day: String { String(CalendarTime.text(time).prefix { $0 != " " }) }

    /// Whole days until then; negative afterwards.
    public func days(after now: NumericDate) -> Int {
        let seconds = time - now
        return seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    }

    /// A warning if it has expired or expires soon.
    ///
    /// - Parameter remedy: what to do in time.
    package func warning(at now: NumericDate, late: String, remedy: String) -> String? {
        let end = CalendarTime.text(time)
        if now > time { return "expired on \(end), and nobody can sign in; \(late)" }
        return time - now < Self.notice ? "expires on \(end); \(remedy)" : nil
    }

    /// A warning about a client secret.
    package func secretWarning(at now: NumericDate) -> String? {
        warning(
            at: now,
            late: "create a new one",
            remedy: "create a new one, write it here, then delete the old one"
        ).map { "'\(name)' \($0)" }
    }
}
