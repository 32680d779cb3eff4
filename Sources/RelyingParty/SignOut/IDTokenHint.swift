import JOSE
import OpenSSL

/// The ID token of a session, for providers that end their session only if the token is sent back
/// to them (OpenID Connect RP-Initiated Logout 1.0, section 2: `id_token_hint`).
///
/// This is the only token that is stored, and only if `secrets.toml` asks for it: in a separate
/// sealed cookie that is bound to the session and sent to siteauth's pages only. Neither checks nor
/// applications receive it.
struct IDTokenHint: Sendable {
    private static let name = "id-token-hint"
    private static let format: UInt8 = 1
    private static let path = "/auth/"
    /// The greatest length of the sealed value, which is sent in header fields and, unsealed, in a
    /// URL.
    private static let maximumLength = 3500

    let keys: KeyRing
    let attributes: CookieAttributes

    /// The cookie, or `nil` if it is too large.
    ///
    /// - Parameter seconds: the cookie's lifetime; `nil` until the browser closes.
    func cookie(_ token: String, of session: Session, seconds: Int?) -> String? {
        // The decoded parts are a quarter shorter than their base64url text.
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let decoded = parts.compactMap { Base64URL.decode($0) }
        guard parts.count == 3, decoded.count == 3,
            decoded.map(Base64URL.encode).joined(separator: ".") == token
        else { return nil }
        var writer = FieldWriter()
        writer.write(byte: Self.format)
        writer.write(session.id)
        for part in decoded { writer.write(part) }
        let value = keys.seal(writer.bytes, for: .idTokenHint)
        guard value.utf8.count <= Self.maximumLength else { return nil }
        return line(value, seconds: seconds)
    }

    /// The token of exactly this session, if the browser sends it.
    func token(of session: Session, in cookie: String?) -> String? {
        for value in Cookies.values(named: cookieName, in: cookie) {
            guard let bytes = keys.open(value, for: .idTokenHint) else { continue }
            var reader = FieldReader(bytes)
            guard reader.byte() == Self.format, let id = reader.field(),
                Digest.equal(id, session.id), let header = reader.field(),
                let payload = reader.field(), let signature = reader.field(), reader.isAtEnd
            else { continue }
            return [header, payload, signature].map(Base64URL.encode).joined(separator: ".")
        }
        return nil
    }

    var deletion: String { line("", seconds: 0) }

    /// `__Host-` is for cookies of the whole site; this cookie has a path.
    private var cookieName: String { attributes.isSecure ? "__Secure-\(Self.name)" : Self.name }

    private func line(_ value: String, seconds: Int?) -> String {
        let cookie = "\(cookieName)=\(value); Path=\(Self.path); HttpOnly; SameSite=Strict"
        let secure = attributes.isSecure ? "; Secure" : ""
        return cookie + secure + (seconds.map { "; Max-Age=\($0)" } ?? "")
    }
}
