import HTTPTypes

/// What an application behind nginx is told of a reader, in header fields of the answer to nginx.
///
/// A header field holds bytes of ASCII only, and commas separate groups. So each part is
/// percent-encoded (RFC 3986, section 2.1): the application decodes it to UTF-8.
struct Identity: Sendable {
    /// Object id and tenant id, the pair that Entra never gives to anybody else; empty for a
    /// stranger.
    let subject: String
    /// All of them, always: nginx passes an empty one on as none.
    let headerFields: HTTPFields

    /// - Parameter session: `nil` for a stranger on a public path.
    init(_ session: Session?) {
        var fields: HTTPFields = [.authUser: "", .authName: "", .authGroups: ""]
        var subject = ""
        if let session {
            let parts = [session.objectID, session.tenantID].map(PercentEncoding.encode)
            subject = parts.joined(separator: "@")
            fields[.authUser] = subject
            fields[.authName] = PercentEncoding.encode(session.name)
            fields[.authGroups] = session.groups.map(PercentEncoding.encode).joined(separator: ",")
        }
        self.subject = subject
        headerFields = fields
    }
}

extension HTTPField.Name {
    static let authUser = literal("X-Auth-User")
    static let authName = literal("X-Auth-Name")
    static let authGroups = literal("X-Auth-Groups")
    /// The same, signed.
    static let authToken = literal("X-Auth-Token")
    /// The browser's cookies without ours.
    static let authCookie = literal("X-Auth-Cookie")
}
