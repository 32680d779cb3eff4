/// The routes of siteauth's pages.
///
/// `nginx/siteauth.conf` sends every path below `/auth/` to siteauth, and some of them by a location
/// of their own.
public enum Route: Sendable, Equatable {
    case signIn, callback, signOut, signedOut, frontChannelSignOut, backChannelSignOut
    case forbidden, account, me
    /// For applications behind nginx: the public keys of identity tokens.
    case keys

    /// The route of a path below `/auth/`, or of the redirect URI.
    ///
    /// Checks have no route: they have their own socket, which no URL reaches.
    public init?(path: String, callbackPath: String) {
        switch path {
        case callbackPath: self = .callback
        case "/auth/sign-in": self = .signIn
        case "/auth/sign-out": self = .signOut
        case "/auth/signed-out": self = .signedOut
        case "/auth/front-channel-sign-out": self = .frontChannelSignOut
        case "/auth/back-channel-sign-out": self = .backChannelSignOut
        case "/auth/forbidden": self = .forbidden
        case "/auth/account": self = .account
        case "/auth/me": self = .me
        case "/auth/keys": self = .keys
        default: return nil
        }
    }
}
