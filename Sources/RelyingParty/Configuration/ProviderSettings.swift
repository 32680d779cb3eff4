/// What `secrets.toml` says of a provider, beyond where it is and who we are there.
public struct ProviderSettings: Sendable, Equatable {
    /// The claim that lists a reader's groups; at Entra it is always `groups`.
    public var groupsClaim = "groups"
    /// Whether the ID token goes back to the provider for signing out; never at Entra.
    public var sendsIDTokenHint = false
    /// Certificates in PEM: with them, the provider's has to be from one of these authorities, and
    /// the machine's own list of authorities does not count.
    public var authorities: [UInt8]?
}
