/// What nginx asks about, before it serves a file or asks an application.
struct CheckQuestion: Sendable {
    /// What nginx is about to serve, decoded: `$uri`.
    let path: String?
    /// The folder that nginx is about to serve from.
    let release: String?
    /// The browser's `Cookie` header field.
    let cookie: String?
    /// What the browser says of the request's purpose.
    let fetch: FetchMetadata

    /// Whether the path is an application's, or lies below it.
    ///
    /// A location's `$auth_audience` outlives an internal redirect to another location, which may be
    /// another application's: that one would be handed a token that the first one believes.
    func isUnder(_ application: String) -> Bool {
        guard let path = path?.utf8, application.hasPrefix("/") else { return false }
        let prefix = application.utf8
        guard path.starts(with: prefix) else { return false }
        return application.hasSuffix("/") || path.count == prefix.count
            || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }
}
