import Access
import HTTPTypes

/// The header fields that name the reader to an application behind nginx.
///
/// Header fields are ASCII, and commas separate groups. So each part is percent-encoded (RFC 3986,
/// section 2.1), and the application decodes it to UTF-8.
struct Identity: Sendable {
    /// Object id and tenant id, a pair that Entra never reuses; empty for a stranger.
    let subject: String
    /// All fields are always set; nginx does not pass empty ones on.
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
    /// The same facts as a signed token.
    static let authToken = literal("X-Auth-Token")
    /// The browser's cookies without siteauth's.
    static let authCookie = literal("X-Auth-Cookie")
}
