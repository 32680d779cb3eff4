/// The API that an access token is for.
enum Resource: Sendable {
    case graph
    /// An application of the directory, and its name in the request.
    case application(Application, identifier: String)
    /// A service of Microsoft that is not emulated; its tokens are opaque and useless.
    case service

    /// Microsoft Graph of each cloud, and its application ID.
    private static let graphIdentifiers: Set = [
        "", "00000003-0000-0000-c000-000000000000", "https://graph.microsoft.com",
        "https://graph.microsoft.us", "https://dod-graph.microsoft.us",
        "https://microsoftgraph.chinacloudapi.cn",
    ]

    /// - Parameter identifier: the text before the last slash of a scope.
    init(
        _ identifier: String,
        _ authority: Authority,
        _ finder: AuthorityFinder
    ) throws(ProtocolError) {
        let name = identifier.hasSuffix("/") ? String(identifier.dropLast()) : identifier
        if Self.graphIdentifiers.contains(name.lowercased()) || name == finder.base.text {
            self = .graph
        } else if let application = Self.application(identifier, authority, finder.directory) {
            self = .application(application, identifier: identifier)
        } else if name.hasPrefix("https://") {
            self = .service
        } else {
            throw ProtocolError(
                "invalid_resource",
                500_011,
                "The resource principal named '\(identifier)' was not found in the tenant"
                    + " '\(authority.segment)'."
            )
        }
    }

    private static func application(
        _ identifier: String,
        _ authority: Authority,
        _ directory: Directory
    ) -> Application? {
        guard let (application, home) = directory.api(identifier), home.cloud == authority.cloud,
            !application.isDisabled
        else { return nil }
        let isAway = authority.tenant.map { $0.id != home.id } ?? false
        return isAway && application.audience == .oneTenant ? nil : application
    }
}

extension Directory {
    /// The application whose API has this name: an identifier URI, or a client id.
    func api(_ identifier: String) -> (application: Application, home: Tenant)? {
        if GUID.isOne(identifier) { return application(identifier.lowercased()) }
        for tenant in tenants {
            let found = tenant.applications.first { $0.identifierURIs.contains(identifier) }
            if let found { return (found, tenant) }
        }
        return nil
    }
}
