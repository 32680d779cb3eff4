/// What we know of a reader who is signed in; all of it travels in one sealed cookie.
///
/// No token is in it, and of the groups only those that the site names: 200 group ids would be
/// 10 KB, which nginx and browsers refuse.
public struct Session: Sendable, Equatable {
    /// 16 random bytes; a new one at each sign-in.
    var id: [UInt8]
    /// Who it is: `tid` and `oid` at Entra, issuer and `sub` elsewhere.
    ///
    /// Never an e-mail address, which people and their administrators can set to anything.
    var tenantID: String
    var objectID: String
    /// For display only.
    var name: String
    /// The site's groups, under the definitions that ``groupsDigest`` names.
    var groups: Set<String>
    var groupsDigest: UInt64
    /// Entra's name for its own session (`sid`).
    var providerSessionID: String
    /// Entra's opaque name for the account (`login_hint`), for signing out without a question.
    var loginHint: String
    var startedAt: NumericDate
    /// When it was last used, to within a few minutes.
    var seenAt: NumericDate
    /// When Entra last said that this reader may come in.
    var verifiedAt: NumericDate

    private static let format: UInt8 = 1

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: Self.format)
        writer.write(id)
        writer.write(compact: tenantID)
        writer.write(compact: objectID)
        writer.write(name)
        writer.write(groups.sorted().joined(separator: ","))
        writer.write(groupsDigest)
        writer.write(compact: providerSessionID)
        writer.write(loginHint)
        writer.write(startedAt)
        writer.write(seenAt)
        writer.write(verifiedAt)
        return writer.bytes
    }
}

extension Session {
    /// Reads a session back; a format that is not exactly ours means "sign in again".
    init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard reader.byte() == Self.format,
            let id = reader.field(), id.count == 16,
            let tenantID = reader.compactText(), !tenantID.isEmpty,
            let objectID = reader.compactText(), !objectID.isEmpty,
            let name = reader.text(),
            let groups = reader.text(),
            let groupsDigest = reader.number(),
            let providerSessionID = reader.compactText(),
            let loginHint = reader.text(),
            let startedAt = reader.date(),
            let seenAt = reader.date(),
            let verifiedAt = reader.date(),
            reader.isAtEnd
        else { return nil }
        self.init(
            id: id,
            tenantID: tenantID,
            objectID: objectID,
            name: name,
            groups: Set(groups.split(separator: ",").map(String.init)),
            groupsDigest: groupsDigest,
            providerSessionID: providerSessionID,
            loginHint: loginHint,
            startedAt: startedAt,
            seenAt: seenAt,
            verifiedAt: verifiedAt
        )
    }

    /// The id as hexadecimal digits: the name under which it is revoked.
    var hexID: String {
        id.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }
}
