import Access

/// What nginx asks about, before it serves a file or asks an application.
struct CheckQuestion: Sendable {
    /// The path that nginx is about to serve, decoded (`$uri`).
    let path: String?
    /// The folder that nginx is about to serve from.
    let release: String?
    /// The browser's `Cookie` header field.
    let cookie: String?
    /// The browser's Fetch Metadata.
    let fetch: FetchMetadata
    /// The IP address of the client, as nginx sees it.
    var address: String?
    /// Whether an application gets the request; otherwise nginx serves a file.
    var isForApplication = false
    /// The address as the browser wrote it (`$request_uri`), if the application gets that.
    var target: String?

    /// The path as the policy has judged it.
    var judgedPath: String? {
        guard let path else { return nil }
        return isForApplication ? ApplicationPath(path)?.text : SitePath(path)?.text
    }

    /// The paths that an application may take the request for.
    var applicationPaths: [String] {
        [path, target.map { String($0.prefix { $0 != "?" }) }].compactMap(\.self)
    }

    /// Whether the path is an application's path or below it.
    ///
    /// nginx keeps a location's `$auth_audience` over an internal redirect to another location.
    /// Without this test, another application would receive a token that the first application
    /// accepts.
    func isUnder(_ application: String) -> Bool {
        guard let path = path?.utf8, application.hasPrefix("/") else { return false }
        let prefix = application.utf8
        guard path.starts(with: prefix) else { return false }
        return application.hasSuffix("/") || path.count == prefix.count
            || path.dropFirst(prefix.count).first == UInt8(ascii: "/")
    }
}
