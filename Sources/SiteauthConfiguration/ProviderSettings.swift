import JOSE

/// Settings of a provider beside its URL and this site's registration there.
public struct ProviderSettings: Sendable, Equatable {
    /// The claim that lists a reader's groups; Entra's is always `groups`.
    public var groupsClaim = "groups"
    /// Whether signing out sends the ID token to the provider; never at Entra.
    public var sendsIDTokenHint = false
    /// The algorithms that ID tokens and logout tokens may be signed with; at Entra RS256 alone.
    public var idTokenAlgorithms: Set<SignatureAlgorithm> = [.rs256]
    /// Seconds between two rounds of questions to Microsoft Graph about those who have signed in; `0`
    /// for never.
    public var graphPollSeconds = 0
    /// Whether authorization requests go from this site to the provider (RFC 9126); `nil` if the
    /// credential decides.
    public var pushesRequests: Bool?
    /// How the provider answers authorization requests.
    public enum ResponseMode: String, Sendable, CaseIterable {
        /// In the address to which it sends the browser.
        case query
        /// As a form that the browser posts (OAuth 2.0 Form Post Response Mode).
        case formPost = "form_post"
    }

    public var responseMode = ResponseMode.query
    /// Certificates in PEM.
    ///
    /// If they are given, the provider's certificate must be issued by one of these authorities,
    /// and the machine's own list does not count.
    public var authorities: [UInt8]?
}
