import Jansson

/// The discovery document, its members in the order in which Entra sends them.
///
/// PKCE is not advertised and enforced all the same, as at Entra.
enum DiscoveryDocument {
    /// - Parameters:
    ///   - base: origin of the emulator.
    ///   - tenant: as it stands in the URL; the endpoints keep it.
    ///   - issuer: with the tenant's id, or the placeholder.
    static func json(base: String, tenant: String, issuer: String) -> JSON {
        let endpoints = "\(base)/\(tenant)/oauth2/v2.0"
        let isForSeveral = issuer.contains("{tenantid}")
        return [
            "token_endpoint": .string("\(endpoints)/token"),
            "token_endpoint_auth_methods_supported": [
                "client_secret_post", "private_key_jwt", "client_secret_basic",
            ],
            "jwks_uri": .string("\(base)/\(tenant)/discovery/v2.0/keys"),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "issuer": .string(issuer),
            "request_uri_parameter_supported": false,
            "userinfo_endpoint": .string("\(base)/oidc/userinfo"),
            "authorization_endpoint": .string("\(endpoints)/authorize"),
            "device_authorization_endpoint": .string("\(endpoints)/devicecode"),
            "http_logout_supported": true,
            "frontchannel_logout_supported": true,
            "end_session_endpoint": .string("\(endpoints)/logout"),
            "claims_supported": [
                "sub", "iss", "cloud_instance_name", "cloud_instance_host_name",
                "cloud_graph_host_name", "msgraph_host", "aud", "exp", "iat", "auth_time", "acr",
                "nonce", "preferred_username", "name", "tid", "ver", "at_hash", "c_hash", "email",
            ],
            "kerberos_endpoint": .string("\(base)/\(tenant)/kerberos"),
            "tenant_region_scope": isForSeveral ? .null : "WW",
            "cloud_instance_name": "microsoftonline.com",
            "cloud_graph_host_name": "graph.windows.net",
            "msgraph_host": "graph.microsoft.com",
            "rbac_url": "https://pas.windows.net",
        ]
    }
}
