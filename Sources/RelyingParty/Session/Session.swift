import SiteauthConfiguration

/// The session of a reader who is signed in; all of it is in one sealed cookie.
///
/// It contains no token, and only the groups that the site defines: 200 group ids would be 10 KB,
/// which nginx and browsers refuse.
public struct Session: Sendable, Equatable {
    /// 16 random bytes, new at each sign-in.
    var id: [UInt8]
    /// With ``object`` the reader's identity: `tid` and `oid` at Entra, issuer and `sub` elsewhere.
    ///
    /// Never an e-mail address, which people and their administrators can set to anything.
    var tenant: CompactText
    var object: CompactText
    /// The display name.
    var name: String
    /// The site's groups under the definitions that ``groupsDigest`` identifies, with commas
    /// between them.
    var groupList: String
    var groupsDigest: UInt64
    /// The provider's id of its own session (`sid`).
    var providerSession: CompactText
    /// Entra's opaque name of the account (`login_hint`), which makes signing out possible without
    /// a question.
    var loginHint: String
    var startedAt: NumericDate
    /// When the session was last used, to within a few minutes.
    var seenAt: NumericDate
    /// When the provider last confirmed the reader.
    var verifiedAt: NumericDate
    /// When a revalidation was last postponed because the provider could not be reached;
    /// ``startedAt`` if never.
    var postponedAt: NumericDate
    /// When a sign-in or a postponement last wrote the cookie.
    var writtenAt: NumericDate { max(verifiedAt, postponedAt) }
    /// What the reader has confirmed beyond signing in.
    var confirmations: [Confirmation] = []

    /// An authentication context that the provider has confirmed.
    struct Confirmation: Sendable, Equatable {
        /// The name of the context.
        let context: String
        let date: NumericDate
    }

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
        // Most sessions have none, and stay as short as they are.
        for confirmation in confirmations {
            writer.write(confirmation.context)
            writer.write(confirmation.date)
        }
        return writer.bytes
    }
}

extension Session {
    /// Reads a session; any other format than the current one means that the reader signs in again.
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
            let postponedAt = reader.date()
        else { return nil }
        var confirmations: [Confirmation] = []
        while !reader.isAtEnd {
            guard let context = reader.text(), let date = reader.date() else { return nil }
            confirmations.append(Confirmation(context: context, date: date))
        }
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
            postponedAt: postponedAt,
            confirmations: confirmations
        )
    }

    var tenantID: String { tenant.text }

    var objectID: String { object.text }

    /// The groups, sorted.
    var groups: [String] {
        groupList.utf8.split(separator: UInt8(ascii: ",")).compactMap(String.init)
    }

    /// The name of the revocation of this session alone.
    var revocationName: String { Revocation.session(id).name }
}

extension Event.Subject {
    init(_ session: Session?) {
        guard let session else { return }
        user = Event.printable(session.objectID, maximumLength: 600)
        tenant = Event.printable(session.tenantID, maximumLength: 600)
        groups = session.groups
    }
}
