import Jansson

/// The document by which Microsoft's libraries learn which hosts are one cloud
/// (`/common/discovery/instance`).
enum InstanceDiscovery {
    static func json(at origin: Origin, authority: Authority) -> JSON {
        let host = JSON.string(origin.host + origin.port)
        return [
            "tenant_discovery_endpoint": .string(
                "\(origin.text)\(authority.path)/v2.0/.well-known/openid-configuration"
            ),
            "api-version": "1.1",
            "metadata": [
                ["preferred_network": host, "preferred_cache": host, "aliases": [host]]
            ],
        ]
    }
}
