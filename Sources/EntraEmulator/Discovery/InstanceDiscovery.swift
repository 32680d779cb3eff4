import Jansson

/// The document by which Microsoft's libraries learn which hosts are one cloud
/// (`/common/discovery/instance`).
enum InstanceDiscovery {
    /// - Parameter endpoint: the authorization endpoint whose tenant is asked about.
    static func json(at origin: Origin, authority: Authority, endpoint: String?) -> JSON {
        // The host is ignored, because libraries omit its port.
        let path = endpoint.flatMap { $0.split(separator: "/", maxSplits: 2).last }
        let segments = path.map { $0.split(separator: "/") } ?? []
        let own = segments.firstIndex(of: "oauth2").map { segments[..<$0].joined(separator: "/") }
        let host = JSON.string(origin.host + origin.port)
        return [
            "tenant_discovery_endpoint": .string(
                "\(origin.text)\(own.map { "/\($0)" } ?? authority.path)/v2.0/.well-known/openid-configuration"
            ),
            "api-version": "1.1",
            "metadata": [
                ["preferred_network": host, "preferred_cache": host, "aliases": [host]]
            ],
        ]
    }
}
