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
    var tenant: CompactText
    var object: CompactText
    /// For display only.
    var name: String
    /// The site's groups, under the definitions that ``groupsDigest`` names; commas between them.
    var groupList: String
    var groupsDigest: UInt64
    /// Entra's name for its own session (`sid`).
    var providerSession: CompactText
    /// Entra's opaque name for the account (`login_hint`), for signing out without a question.
    var loginHint: String
    var startedAt: NumericDate
    /// When it was last used, to within a few minutes.
    var seenAt: NumericDate
    /// When Entra last said that this reader may come in.
    var verifiedAt: NumericDate
    /// When Entra was last to be asked and could not be reached; ``startedAt`` before that.
    var postponedAt: NumericDate

    private static let format: UInt8 = 2

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.write(byte: Self.format)
        writer.write(id)
        writer.write(tenant)
        writer.write(object)
        writer.write(name)
        writer.write(groupList)
        writer.write(groupsDigest)
        writer.write(providerSession)
        writer.write(loginHint)
        writer.write(startedAt)
        writer.write(seenAt)
        writer.write(verifiedAt)
        writer.write(postponedAt)
        return writer.bytes
    }
}

extension Session {
    /// Reads a session back; a format that is not exactly ours means "sign in again".
    init?(_ bytes: [UInt8]) {
        var reader = FieldReader(bytes)
        guard reader.byte() == Self.format,
            let id = reader.field(), id.count == 16,
            let tenant = reader.compactText(), !tenant.bytes.isEmpty,
            let object = reader.compactText(), !object.bytes.isEmpty,
            let name = reader.text(),
            let groupList = reader.text(),
            let groupsDigest = reader.number(),
            let providerSession = reader.compactText(),
            let loginHint = reader.text(),
            let startedAt = reader.date(),
            let seenAt = reader.date(),
            let verifiedAt = reader.date(),
            let postponedAt = reader.date(),
            reader.isAtEnd
        else { return nil }
        self.init(
            id: id,
            tenant: tenant,
            object: object,
            name: name,
            groupList: groupList,
            groupsDigest: groupsDigest,
            providerSession: providerSession,
            loginHint: loginHint,
            startedAt: startedAt,
            seenAt: seenAt,
            verifiedAt: verifiedAt,
            postponedAt: postponedAt
        )
    }

    var tenantID: String { tenant.text }

    var objectID: String { object.text }

    /// Sorted.
    var groups: [String] {
        groupList.utf8.split(separator: UInt8(ascii: ",")).compactMap(String.init)
    }

    /// The name under which this one session is ended.
    var revocationName: String { Revocation.session(id).name }
}
