/// One line for the operator.
///
/// It holds no secret, token, code, cookie or e-mail address, and no line end.
public struct Event: Sendable, Equatable {
    public enum Level: Sendable { case notice, warning, error }

    /// What happened; the word stands in log lines in JSON.
    public enum Kind: String, Sendable, CaseIterable {
        case start, stop, reload
        case signInBegun = "sign_in_begun"
        case signIn = "sign_in"
        case signInRefusal = "sign_in_refusal"
        /// The Back button brought a used code again.
        case signInRepetition = "sign_in_repetition"
        case providerRefusal = "provider_refusal"
        case providerFailure = "provider_failure"
        case forbidden
        case signOut = "sign_out"
        case signOutRefusal = "sign_out_refusal"
        case revocation
        case keyRefresh = "key_refresh"
        /// What stands in the way here, on our side.
        case problem
    }

    public let level: Level
    public let text: String
    public let kind: Kind

    public init(level: Level, text: String, kind: Kind = .problem) {
        self.level = level
        self.kind = kind
        // What came from outside is quoted in events; it must not begin a line of its own.
        let printable = text.unicodeScalars.map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return " "
            default: return Character(scalar)
            }
        }
        self.text = String(printable.prefix(600))
    }
}
