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
        /// A problem of this machine or its configuration.
        case problem
    }

    public let level: Level
    public let text: String
    public let kind: Kind

    public init(level: Level, text: String, kind: Kind = .problem) {
        self.level = level
        self.kind = kind
        // Events quote text from outside, which must not start a log line of its own.
        let printable = text.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return " "
            default: return Character(scalar)
            }
        }
        self.text = String(printable.prefix(600))
    }
}
