@testable import RelyingParty
@testable import SiteauthConfiguration

extension Session {
    /// A session of somebody in the groups a and b.
    static func sample(tenant: String, object: String, name: String) -> Session {
        Session(
            id: Array(repeating: 7, count: 16),
            tenant: CompactText(tenant),
            object: CompactText(object),
            name: name,
            groupList: "a,b",
            groupsDigest: 3,
            providerSession: CompactText(""),
            loginHint: "",
            startedAt: 1,
            seenAt: 2,
            verifiedAt: 3,
            postponedAt: 4
        )
    }
}
