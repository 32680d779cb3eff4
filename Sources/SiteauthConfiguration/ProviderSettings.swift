import JOSE

/// Settings of a provider beside its URL and this site's registration there.
public struct ProviderSettings: Sendable, Equatable {
    /// The claim that lists a reader's groups; Entra's is always `groups`.
    public var groupsClaim = "groups"
    /// Whether signing out sends the ID token to the provider; never at Entra.
    public var sendsIDTokenHint = false
    /// The algorithms that ID tokens and logout tokens may be signed with; at Entra RS256 alone.
    public var idTokenAlgorithms: Set<SignatureAlgorithm> = [.rs256]
    /// Certificates in PEM.
    ///
    /// If they are given, the provider's certificate must be issued by one of these authorities,
    /// and the machine's own list does not count.
    public var authorities: [UInt8]?
}
