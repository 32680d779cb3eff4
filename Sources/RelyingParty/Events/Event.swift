/// One line for the operator.
///
/// The line contains no secret, token, code, cookie, e-mail address or line break.
public struct Event: Sendable, Equatable {
    public enum Level: String, Sendable, CaseIterable { case notice, warning, error }

    /// The kind of event; its word is `event` in JSON log lines and a label of metrics.
    public enum Kind: String, Sendable, CaseIterable {
        case start, stop, reload
        case signInBegun = "sign_in_begun"
        case signIn = "sign_in"
        case signInRefusal = "sign_in_refusal"
        /// The browser sent a used code again, by the Back button or a reload.
        case signInRepetition = "sign_in_repetition"
        case providerRefusal = "provider_refusal"
        case providerFailure = "provider_failure"
        case forbidden
        case signOut = "sign_out"
        case signOutRefusal = "sign_out_refusal"
        case revocation
        case keyRefresh = "key_refresh"
        /// Whether Microsoft Graph can be asked about accounts.
        case accountWatch = "account_watch"
        /// A problem of this machine or its configuration.
        case problem
    }

    public let level: Level
    public let text: String
    public let kind: Kind
    public var subject: Subject

    public init(level: Level, text: String, kind: Kind = .problem, subject: Subject = Subject()) {
        self.level = level
        self.kind = kind
        self.text = Self.printable(text, maximumLength: 600)
        self.subject = subject
    }

    /// Events quote text from outside, which must not start a log line of its own.
    public static func printable(_ text: String, maximumLength: Int) -> String {
        let printable = text.unicodeScalars.prefix(maximumLength).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return " "
            default: return Character(scalar)
            }
        }
        return String(printable)
    }

    /// Whom and what an event is about: fields of JSON log lines.
    public struct Subject: Sendable, Equatable {
        /// The reader, as in ``Session/objectID`` and ``Session/tenantID``.
        public var user: String?
        public var tenant: String?
        /// The site's groups that the reader is in.
        public var groups: [String]?
        /// The path that the reader asked for; the query may contain anything, so it is not logged.
        public var path: String?

        public init() {}

        /// The path of an address, as far as a log line has room for it.
        static func path(_ address: String) -> String {
            let end = address.utf8.firstIndex(of: UInt8(ascii: "?")) ?? address.endIndex
            return Event.printable(String(address[..<end]), maximumLength: 200)
        }
    }
}
