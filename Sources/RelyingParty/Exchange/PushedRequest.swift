import SiteauthConfiguration

/// An authorization request that the provider gets from this site, before the browser comes with its
/// URI only (RFC 9126): nobody can read or change it on the way.
///
/// It is a part of the response that sends the browser there, and ``RelyingParty`` lets that response
/// wait for the provider.
struct PushedRequest: Sendable {
    let parameters: [(String, String)]
    /// The state of the sign-in, unsealed.
    let state: [UInt8]
    let returnPath: String
    let metadata: ProviderMetadata
    let endpoint: WebURL
    /// The session that is being revalidated, and its browser.
    let session: (Session, Browser)?
}
